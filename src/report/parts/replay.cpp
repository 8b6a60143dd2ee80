#include "report/parts/replay.hpp"

#include "base/vector_of.hpp"

#include <fmt/format.h>

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

std::string ShellCommand(std::span<const std::string> command) {
  return fmt::format("{}", fmt::join(VectorOf(command, &ShellWord), " "));
}

std::string ReplayCommand(std::span<const std::string> command, std::uint64_t seed) {
  const bool has_seed = std::ranges::any_of(
      command, [](const std::string& word) { return word.starts_with("--seed"); });
  return ShellCommand(command) + (has_seed ? "" : fmt::format(" --seed {}", seed));
}

}  // namespace schedbench::report
