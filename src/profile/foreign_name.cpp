#include "profile/foreign_name.hpp"

#include "base/text.hpp"
#include "config/quote.hpp"
#include "profile/sampling/code_name.hpp"
#include "profile/sampling/frame_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace schedbench::profile {

namespace {

constexpr std::string_view kUnknown = "[unknown]";
constexpr std::string_view kMarks = "kjilw";

bool Contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

// Returns the mark of a module: 0 for the program itself and for names that are not code.
char MarkOfModule(std::string_view module) {
  const std::string_view file = FileName(module);
  constexpr std::array<std::string_view, 6> kNoCode = {kUnknown,  "[heap]",   "[stack]",
                                                       "[fiber]", "[worker]", "[created]"};
  if (module == "inlined") {
    return 'i';
  }
  if (std::ranges::find(kNoCode, module) != kNoCode.end()) {
    return 0;
  }
  if (module.starts_with("[anon") || module.starts_with("//anon") || file.starts_with("jitted-") ||
      (file.starts_with("perf-") && file.ends_with(".map")) || Contains(module, "memfd:")) {
    return 'j';
  }
  if (module == "[vdso]" || module == "[vsyscall]" || Contains(file, ".so") ||
      file.ends_with(".dylib") || file.ends_with(".dll")) {
    return 'l';
  }
  const bool is_kernel = module.starts_with('[') || file.starts_with("vmlinux") ||
                         file.ends_with(".ko") || Contains(file, ".ko.") ||
                         file.starts_with("bpf_prog_");
  return is_kernel ? 'k' : 0;
}

// Returns whether the symbol is a kind and a name, no part of which may be dropped:
// "LazyCompile:~foo /a/b.js:12", "fiber:ping 3".
bool HasTag(std::string_view symbol) {
  const std::size_t colon = symbol.find(':');
  return colon != std::string_view::npos && colon > 0 &&
         std::ranges::all_of(
             symbol.substr(0, colon),
             [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }) &&
         !symbol.substr(colon).starts_with("::");
}

// Shortens a name by its template arguments, then its middle. A checksum distinguishes names.
std::string Bounded(std::string name) {
  constexpr std::size_t kMost = 1000;  // characters; arbitrary: a tooltip can still show it
  if (name.size() <= kMost) {
    return name;
  }
  std::uint32_t sum = 2166136261U;  // FNV-1a
  for (const char c : name) {
    sum = (sum ^ static_cast<unsigned char>(c)) * 16777619U;
  }
  std::string text = WithoutArguments(name);
  if (text.size() > kMost) {
    text = fmt::format("{}...{}", config::FirstCharacters(text, kMost / 2),
                       config::LastCharacters(text, kMost / 2));
  }
  return fmt::format("{} #{:08x}", text, sum);
}

std::string NameOf(std::string_view symbol) {
  constexpr std::size_t kLongest = 8192;  // a compiler's names are shorter
  const std::size_t bracket = symbol.find('(');
  const std::string_view head = symbol.substr(0, bracket);
  if (symbol.size() > kLongest) {
    return Bounded(FrameName(symbol));
  }
  // This is Java's "Ljava/io/File;::read", which may have been cut.
  const bool is_class = Contains(head, ";") || (Contains(head, "/") && !HasTag(symbol));
  if (symbol.starts_with('L') && is_class) {
    return Bounded(FrameName(head.substr(1)));
  }
  // This is a receiver of Go, "net/http.(*body).Read", or a name with blanks and no parameters.
  const bool is_whole = Contains(symbol, ".(") || HasTag(symbol) ||
                        (bracket == std::string_view::npos &&
                         Contains(WithoutArguments(symbol), " ") && !Contains(symbol, " [clone "));
  return Bounded(FrameName(is_whole ? std::string(symbol) : ShortName(symbol)));
}

// Returns the end of the function into which a Java compiler inlined the rest; npos without it.
std::size_t EndOfOutermost(std::string_view symbol) {
  int depth = 0;
  for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
    if (symbol.substr(i).starts_with("->")) {
      if (depth == 0 && i > 0 && symbol[i - 1] != ' ' &&
          !symbol.substr(0, i).ends_with("operator")) {
        return i;
      }
      ++i;
      continue;
    }
    const bool opens = symbol[i] == '(' || symbol[i] == '<' || symbol[i] == '{';
    const bool closes = symbol[i] == ')' || symbol[i] == '>' || symbol[i] == '}';
    depth = std::max(depth + (opens ? 1 : closes ? -1 : 0), 0);
  }
  return std::string_view::npos;
}

}  // namespace

std::string FrameName(std::string_view text) {
  text = WithoutBlanks(text);
  std::string name =
      config::IsPrintable(text) ? std::string(text) : config::Escaped(text, text.size());
  std::ranges::replace(name, ';', ':');
  return name.empty() ? "{none}" : name;
}

std::vector<std::string> FrameNames(std::string_view address, std::string_view symbol,
                                    std::string_view module) {
  std::vector<std::string> names;
  const char mark = MarkOfModule(module);
  const auto add = [&names](const std::string& name, char letter) {
    names.push_back(letter == 0 ? name : fmt::format("{}_[{}]", name, letter));
  };
  if (symbol.empty() || symbol == kUnknown) {
    constexpr std::string_view kGone = " (deleted)";
    if (module.ends_with(kGone)) {
      module.remove_suffix(kGone.size());
    }
    const std::string file = FrameName(FileName(module));
    const bool has_module = !module.empty() && module != kUnknown;
    add(has_module       ? (file.starts_with('[') ? file : fmt::format("[{}]", file))
        : symbol.empty() ? fmt::format("0x{}", address.substr(address.starts_with("0x") ? 2 : 0))
                         : std::string(kUnknown),
        mark);
    return names;
  }
  while (true) {
    const std::size_t end = EndOfOutermost(symbol);
    add(NameOf(symbol.substr(0, end)), names.empty() ? mark : 'i');
    if (end == std::string_view::npos) {
      return names;
    }
    symbol.remove_prefix(end + 2);
  }
}

char TakeMark(std::string_view& frame) {
  constexpr std::size_t kLength = 4;
  if (frame.size() <= kLength || !frame.ends_with(']') ||
      !frame.substr(frame.size() - kLength).starts_with("_[") ||
      kMarks.find(frame[frame.size() - 2]) == std::string_view::npos) {
    return 0;
  }
  const char letter = frame[frame.size() - 2];
  frame.remove_suffix(kLength);
  return letter;
}

std::string WithoutMarks(std::string_view stack) {
  std::string plain;
  while (!stack.empty()) {
    std::string_view frame = TakePart(stack, ';');
    TakeMark(frame);
    plain += (plain.empty() ? "" : ";") + std::string(frame);
  }
  return plain;
}

}  // namespace schedbench::profile
