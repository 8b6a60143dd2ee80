#include "report/parts/replay.hpp"

#include "report/parts/shell_words.hpp"

#include <fmt/core.h>

namespace schedbench::report {

std::string ReplayCommand(std::span<const std::string> command, std::uint64_t seed) {
  std::string words;
  bool has_seed = false;
  for (const std::string& word : command) {
    words += (words.empty() ? "" : " ") + ShellWord(word);
    has_seed = has_seed || word.starts_with("--seed");
  }
  return words + (has_seed ? "" : fmt::format(" --seed {}", seed));
}

}  // namespace schedbench::report
