#include "profile/sampling/frame_text.hpp"

#include "base/text.hpp"
#include "config/quote.hpp"
#include "profile/sampling/code_name.hpp"

namespace schedbench::profile {

namespace {

char SafeCharacter(char c) {
  switch (c) {
    case ';':
      return ':';
    case '(':
      return '[';
    case ')':
      return ']';
    case '"':
    case '\'':
      return '`';
    default:
      return c;
  }
}

}  // namespace

std::string SafeName(std::string_view text) {
  std::string name = config::Escaped(WithoutBlanks(text), kLongestName);
  for (std::size_t i = 0; i < name.size(); ++i) {
    name[i] = name[i] == '-' && name.substr(i + 1, 1) == ">" ? '=' : SafeCharacter(name[i]);
  }
  // perf's text ends each name by its offset, "+0x1f", which readers remove.
  if (const std::size_t plus = name.rfind("+0x"); plus != std::string::npos) {
    name[plus + 2] = 'X';
  }
  return name.empty() ? "{none}" : name;
}

std::string SafeModule(std::string_view path) {
  constexpr std::string_view kGone = " (deleted)";
  if (path.ends_with(kGone)) {
    path.remove_suffix(kGone.size());
  }
  std::string module = config::Escaped(path, path.size());
  for (char& c : module) {
    if (std::string_view(" \t\n\v\f\r()").find(c) != std::string_view::npos) {
      c = '_';
    }
  }
  return module.empty() ? "[unknown]" : module;
}

namespace {

std::string PlaceText(std::string_view file, std::uint32_t line) {
  return std::string(FileName(file)) + ":" + std::to_string(line);
}

}  // namespace

std::string_view FileName(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

std::string FiberText(std::string_view name, std::string_view file, std::uint32_t line) {
  if (!name.empty()) {
    return "fiber:" + std::string(name);
  }
  return "fiber:" + PlaceText(file, line);
}

Frame FiberFrame(std::string_view name, std::string_view file, std::uint32_t line) {
  return {.name = FiberText(name, file, line),
          .module = std::string(kFiberModule),
          .file = PlaceText(file, line),
          .is_code = false};
}

std::string FrameText(const Frame& frame) {
  if (!frame.is_code) {
    return SafeName(frame.name);
  }
  const std::string name = ShortName(frame.name);
  // The function's own name is at the end, which a cut would remove.
  return SafeName(name.size() > kLongestName ? WithoutArguments(name) : name);
}

}  // namespace schedbench::profile
