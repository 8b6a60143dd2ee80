#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

bool IsAllowedSleep(const SourceFile& file, std::size_t i) {
  // Up to the first line of the comment that ends on the line above.
  std::size_t first = i;
  while (first > 0 && IsBlank(file.code[first - 1]) && !IsBlank(file.comments[first - 1])) {
    --first;
  }
  return first < i && TrimLeft(file.comments[first]).starts_with("What is tested:");
}

}  // namespace

Findings CheckThreadPrimitives(const SourceFile& file) {
  Findings findings;
  if (!IsProductCode(file.path) || file.path.starts_with("src/base/") ||
      file.path.starts_with("src/platform/")) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string_view name :
         {"std::atomic", "std::mutex", "std::recursive_mutex", "std::shared_mutex",
          "std::timed_mutex", "std::condition_variable", "std::thread", "std::jthread"}) {
      // A prefix for those that come in kinds: atomic_ref, condition_variable_any.
      const bool kinds = name == "std::atomic" || name == "std::condition_variable";
      if (kinds ? HasWordThatStarts(file.code[i], name) : HasWord(file.code[i], name)) {
        findings.push_back({file.path, i + 1,
                            fmt::format("{}: use base/atomic.hpp, platform/threads/mutex.hpp or "
                                        "platform/threads/thread.hpp",
                                        name)});
      }
    }
  }
  return findings;
}

Findings CheckDeprecatedAlgorithms(const SourceFile& file) {
  Findings findings;
  if (!file.path.ends_with(".cpp") && !file.path.ends_with(".hpp")) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string_view name : {"stable_sort", "inplace_merge", "stable_partition"}) {
      for (const std::string_view space : {"std::", "std::ranges::"}) {
        if (HasWord(file.code[i], fmt::format("{}{}", space, name))) {
          findings.push_back({file.path, i + 1,
                              fmt::format("{}{} does not compile with clang: use StableSort() of "
                                          "base/stable_sort.hpp",
                                          space, name)});
        }
      }
    }
  }
  return findings;
}

Findings CheckSleeps(const SourceFile& file) {
  Findings findings;
  if (!file.path.starts_with("tests/") ||
      !(file.path.ends_with(".cpp") || file.path.ends_with(".hpp"))) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    for (const std::string_view name : {"sleep_for", "sleep_until", "usleep", "nanosleep"}) {
      if (HasWord(file.code[i], name) && !IsAllowedSleep(file, i)) {
        findings.push_back({file.path, i + 1,
                            "sleeps without a comment above that begins with \"What is tested:\""});
      }
    }
  }
  return findings;
}

}  // namespace schedbench::lint
