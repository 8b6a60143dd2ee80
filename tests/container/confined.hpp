#pragma once

#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"

#include <filesystem>
#include <string>
#include <vector>

namespace schedbench::tests {

// A folder that every user can write to.
class SharedFolder : public ScratchFolder {
 public:
  SharedFolder() {
    std::filesystem::permissions(Path(), std::filesystem::perms::all);
  }
};

// Runs schedbench in the environment that these options of `confine` describe. The folder is its
// current one.
inline Finished Confined(std::vector<std::string> options,
                         const std::vector<std::string>& arguments, const SharedFolder& folder) {
  options.insert(options.begin(), CONFINE);
  options.insert(options.end(), {"--", "timeout", "--signal=KILL", "60", SCHEDBENCH_BINARY});
  options.insert(options.end(), arguments.begin(), arguments.end());
  return Execute(std::move(options), {.folder = folder.Path(), .environment = {}});
}

// Why this machine cannot make the environment; "" if it can.
inline std::string WhyNotConfined(const Finished& run) {
  constexpr int kCannot = 125;  // of `confine`
  return run.code == kCannot && run.error.starts_with("confine: ") ? run.error : "";
}

inline std::size_t CountOf(std::string_view part, const std::string& text) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

}  // namespace schedbench::tests

#define SCHEDBENCH_REQUIRE_CONFINED(run) \
  SCHEDBENCH_SKIP_IF(::schedbench::tests::WhyNotConfined(run))
