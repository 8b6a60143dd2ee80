#include "harness/call_names.hpp"

#include "profile/code_name.hpp"
#include "profile/frame_text.hpp"
#include "profile/symbolizer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace schedbench::harness {

namespace {

// How std::function and std::thread call another function.
constexpr std::array<std::string_view, 5> kCalls = {"std::_Function_handler", "std::__invoke",
                                                    "std::function<", "std::thread::_Invoker<",
                                                    "std::thread::_State_impl"};

// Whether a frame shows nothing but how its caller calls another function.
bool IsNoise(const profile::Frame& frame) {
  if (!frame.is_code) {
    return false;
  }
  const std::string name = profile::ShortName(frame.name);
  if (frame.is_inlined) {
    // The debug information of an inlined function may lack its namespace.
    return profile::IsWrapper(name) || frame.file.find("/include/c++/") != std::string::npos;
  }
  return std::ranges::any_of(kCalls, [&name](std::string_view call) {
    return name.starts_with(call);
  });
}

}  // namespace

std::vector<std::string> CallNames(std::uintptr_t address) {
  std::vector<std::string> names;
  profile::Symbolizer symbolizer;
  for (const profile::Frame& frame : symbolizer.FramesAt(address, false)) {
    if (IsNoise(frame)) {
      continue;
    }
    const std::string name = profile::FrameLabel(profile::FrameText(frame));
    if (name.starts_with('[')) {
      names.push_back(name);  // no function is known there: it is the name of the module
    } else if (frame.file.empty()) {
      names.push_back(fmt::format("{} ({})", name, profile::FileName(frame.module)));
    } else {
      names.push_back(fmt::format("{} ({}:{})", name, profile::FileName(frame.file), frame.line));
    }
  }
  return names;
}

}  // namespace schedbench::harness
