#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <ostream>
#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

constexpr std::size_t kMaxLines = 600;
constexpr std::size_t kMaxProseWidth = 120;
constexpr std::size_t kMaxCodeWidth = 100;

bool EndsWithOneOf(std::string_view path, std::initializer_list<std::string_view> endings) {
  for (const std::string_view ending : endings) {
    if (path.ends_with(ending)) {
      return true;
    }
  }
  return false;
}

// Lockfiles are other tools' text; these tests must be free to spell what they look for.
bool IsExempt(std::string_view path) {
  return path.starts_with("tests/lint/") ||
         EndsWithOneOf(path, {"package-lock.json", ".lock", "go.sum"});
}

bool IsPartOfPath(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 ||
         std::string_view("._-/$})").find(c) != std::string_view::npos;
}

// Returns true iff an absolute path begins with `folder`, which starts and ends with a slash.
bool HasAbsolutePath(std::string_view line, std::string_view folder) {
  for (std::size_t at = line.find(folder); at != std::string_view::npos;
       at = line.find(folder, at + 1)) {
    if (at == 0 || !IsPartOfPath(line[at - 1])) {
      return true;
    }
  }
  return false;
}

// Returns the host of the first URL in the line, or nothing.
std::string_view HostOf(std::string_view line) {
  for (const std::string_view scheme : {"http://", "https://"}) {
    if (const std::size_t at = line.find(scheme); at != std::string_view::npos) {
      const std::string_view rest = line.substr(at + scheme.size());
      return rest.substr(0, rest.find_first_of("/ \"'<>)"));
    }
  }
  return {};
}

// Bytes that continue a character of UTF-8 have no width.
std::size_t WidthOf(std::string_view line) {
  return static_cast<std::size_t>(std::ranges::count_if(
      line, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const Finding& finding) {
  return out << finding.path << ':' << finding.line << ": " << finding.message;
}

Findings CheckLength(const SourceFile& file) {
  const bool is_source = EndsWithOneOf(file.path, {".hpp", ".cpp", ".go", ".rs", ".js", ".mjs",
                                                   ".sh", ".cmake", "CMakeLists.txt", "Makefile"});
  if (!is_source || file.lines.size() <= kMaxLines) {
    return {};
  }
  return {{file.path, file.lines.size(), fmt::format("more than {} lines: split it", kMaxLines)}};
}

Findings CheckCodeWidth(const SourceFile& file) {
  Findings findings;
  if (!IsProductCode(file.path)) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    // The text of a raw string is neither code nor a comment.
    const bool is_raw = line.find("R\"") != std::string::npos ||
                        (IsBlank(file.code[i]) && IsBlank(file.comments[i]));
    if (const std::size_t width = WidthOf(line); !is_raw && width > kMaxCodeWidth) {
      findings.push_back(
          {file.path, i + 1,
           fmt::format("a line of {} characters, more than {}", width, kMaxCodeWidth)});
    }
  }
  return findings;
}

Findings CheckProseWidth(const SourceFile& file) {
  Findings findings;
  if (!file.path.ends_with(".md")) {
    return findings;
  }
  bool in_code = false;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string& line = file.lines[i];
    in_code ^= line.starts_with("```");
    const bool is_free = in_code || line.starts_with('|') || line.starts_with('#') ||
                         line.starts_with('!') || line.find(' ') == std::string::npos;
    const std::size_t width = WidthOf(line);
    if (!is_free && width > kMaxProseWidth) {
      findings.push_back(
          {file.path, i + 1,
           fmt::format("a line of {} characters, more than {}", width, kMaxProseWidth)});
    }
  }
  return findings;
}

Findings CheckMachineNames(const SourceFile& file) {
  Findings findings;
  if (IsExempt(file.path)) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string_view folder : {"/root/", "/home/", "/work/", "/Users/"}) {
      if (HasAbsolutePath(file.lines[i], folder)) {
        findings.push_back(
            {file.path, i + 1, fmt::format("a path of somebody's machine: {}", folder)});
      }
    }
    const std::string_view host = HostOf(file.lines[i]);
    for (const std::string_view word : {"artifact", "nexus", "mirror", "proxy", "internal"}) {
      if (host.find(word) != std::string_view::npos) {
        findings.push_back(
            {file.path, i + 1, fmt::format("a host of somebody's network: {}", host)});
      }
    }
  }
  return findings;
}

Findings CheckUnfinished(const SourceFile& file) {
  Findings findings;
  if (IsExempt(file.path)) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string_view word : {"TODO", "FIXME", "XXX", "GTEST_SKIP"}) {
      // Tests may skip only through this file.
      if (word == "GTEST_SKIP" && file.path == "tests/support/requirements.hpp") {
        continue;
      }
      if (HasWord(file.lines[i], word)) {
        findings.push_back({file.path, i + 1, fmt::format("unfinished: {}", word)});
      }
    }
    if (HasWordThatStarts(file.lines[i], "DISABLED_")) {
      findings.push_back({file.path, i + 1, "a test that is switched off"});
    }
  }
  return findings;
}

}  // namespace schedbench::lint
