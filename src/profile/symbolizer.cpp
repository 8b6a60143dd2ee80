#include "profile/symbolizer.hpp"

#include "platform/signals/code_module.hpp"
#include "profile/sampling/frame_text.hpp"

#include <algorithm>
#include <cstdlib>

#include <cxxabi.h>

// A part of backtrace.h (libbacktrace, in libgcc-12-dev), which only g++ finds.
extern "C" {
using OnError = void(void* data, const char* message, int error);
using OnFunctionFound = int(void* data, std::uintptr_t pc, const char* file, int line,
                            const char* function);
using OnSymbolFound = void(void* data, std::uintptr_t pc, const char* name, std::uintptr_t value,
                           std::uintptr_t size);
backtrace_state* backtrace_create_state(const char* file, int threaded, OnError* on_error,
                                        void* data);
int backtrace_pcinfo(backtrace_state* state, std::uintptr_t pc, OnFunctionFound* on_function,
                     OnError* on_error, void* data);
int backtrace_syminfo(backtrace_state* state, std::uintptr_t pc, OnSymbolFound* on_symbol,
                      OnError* on_error, void* data);
}

namespace schedbench::profile {

namespace {

// Without debug information the names are worse, which the frames show; it is not an error.
void Ignore(void* /*data*/, const char* /*message*/, int /*error*/) {
}

// A state cannot be freed, so the process has one.
backtrace_state* State() {
  static backtrace_state* const state = ::backtrace_create_state(nullptr, 1, &Ignore, nullptr);
  return state;
}

std::string Demangled(const char* name) {
  int status = 0;
  char* const text = abi::__cxa_demangle(name, nullptr, nullptr, &status);
  std::string result = status == 0 ? text : name;
  std::free(text);
  return result;
}

int OnFunction(void* data, std::uintptr_t /*pc*/, const char* file, int line,
               const char* function) {
  // With -g1, clang only describes functions with inlined ones. The symbol names the rest.
  if (function != nullptr || file != nullptr) {
    Frame& frame = static_cast<std::vector<Frame>*>(data)->emplace_back();
    frame.file = file == nullptr ? "" : file;
    frame.line = static_cast<std::uint32_t>(std::max(line, 0));
    frame.name = function == nullptr ? "" : Demangled(function);
    if (frame.name == "operator()") {
      // Debug information of a lambda does not have more than this.
      frame.name = "{lambda in " + std::string(FileName(frame.file)) + "}";
    }
  }
  return 0;
}

struct Symbol {
  const char* name = nullptr;
  std::uintptr_t begin = 0;
};

void OnSymbol(void* data, std::uintptr_t /*pc*/, const char* name, std::uintptr_t value,
              std::uintptr_t /*size*/) {
  *static_cast<Symbol*>(data) = {.name = name, .begin = value};
}

}  // namespace

Symbolizer::Symbolizer()
    : state_(State()) {
  platform::LearnProgramPath();
}

const std::vector<Frame>& Symbolizer::FramesAt(std::uintptr_t address, bool is_return) {
  const auto [place, is_new] = known_.try_emplace({address, is_return});
  if (is_new) {
    place->second = Read(address, is_return);
  }
  return place->second;
}

std::vector<Frame> Symbolizer::Read(std::uintptr_t address, bool is_return) const {
  const std::uintptr_t inside = is_return ? address - 1 : address;
  std::vector<Frame> frames;
  Symbol symbol;
  if (state_ != nullptr) {
    ::backtrace_pcinfo(state_, inside, &OnFunction, &Ignore, &frames);
    ::backtrace_syminfo(state_, inside, &OnSymbol, &Ignore, &symbol);
  }
  if (frames.empty()) {
    frames.emplace_back();
  }
  const platform::CodeModule module = platform::ModuleOf(inside);
  for (Frame& frame : frames) {
    frame.module = module.path == nullptr ? "[unknown]" : module.path;
    frame.address = address;
    frame.is_inlined = true;
  }
  Frame& function = frames.back();
  function.is_inlined = false;
  if (symbol.name != nullptr) {
    // The symbol has the scope, even for names that are local to a file.
    function.name = Demangled(symbol.name);
    function.offset = address - symbol.begin;
  } else if (function.name.empty()) {
    function.name =
        module.path == nullptr ? "[unknown]" : "[" + std::string(FileName(module.path)) + "]";
  }
  return frames;
}

}  // namespace schedbench::profile
