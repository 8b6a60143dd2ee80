#include "report/parts/replay.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::report {

std::string ShellWord(std::string_view word) {
  constexpr std::string_view kPlainSigns = "_-./:=,+@%";
  const bool plain = !word.empty() && std::ranges::all_of(word, [&](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           kPlainSigns.find(c) != std::string_view::npos;
  });
  if (plain) {
    return std::string(word);
  }
  std::string quoted = "'";
  for (const char c : word) {
    quoted += c == '\'' ? "'\\''" : std::string(1, c);
  }
  return quoted + "'";
}

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
