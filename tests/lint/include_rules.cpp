#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::lint {

namespace {

struct Layer {
  std::string_view folder;
  int level;
};

constexpr std::array kLayers{
    Layer{"base", 0},    Layer{"platform", 1},   Layer{"config", 1},     Layer{"record", 1},
    Layer{"metrics", 1}, Layer{"trace", 2},      Layer{"executors", 2},  Layer{"stats", 2},
    Layer{"fibers", 3},  Layer{"futures", 4},    Layer{"coroutines", 4}, Layer{"registry", 4},
    Layer{"graph", 4},   Layer{"schedulers", 5}, Layer{"workloads", 5},  Layer{"harness", 6},
    Layer{"history", 6}, Layer{"profile", 6},    Layer{"timeline", 6},   Layer{"simulation", 6},
    Layer{"report", 7},  Layer{"cli", 8},
};

constexpr std::array<std::string_view, 15> kSystemHeaders{
    "curses.h",    "term.h",  "unistd.h",  "pthread.h", "sched.h",
    "signal.h",    "csignal", "fcntl.h",   "poll.h",    "ucontext.h",
    "semaphore.h", "spawn.h", "termios.h", "dirent.h",  "dlfcn.h"};

constexpr std::array<std::string_view, 5> kSystemFolders{"sys/", "linux/", "asm/", "netinet/",
                                                         "arpa/"};

std::string_view FirstStep(std::string_view path) {
  return path.substr(0, path.find('/'));
}

std::optional<int> LevelOf(std::string_view folder) {
  const auto* layer = std::ranges::find(kLayers, folder, &Layer::folder);
  return layer == kLayers.end() ? std::nullopt : std::optional(layer->level);
}

// "schedulers/fast/worker.cpp" -> "schedulers/fast/"; a peer is one step deeper.
std::string_view SchedulerFolder(std::string_view path) {
  const std::string_view root =
      path.starts_with("schedulers/peers/") ? "schedulers/peers/" : "schedulers/";
  const std::size_t end = path.find('/', root.size());
  return end == std::string_view::npos ? root : path.substr(0, end + 1);
}

// Returns what stands between the quotes or brackets of an #include, with the opening one; else
// nothing.
std::string_view IncludeOf(const SourceFile& file, std::size_t i) {
  if (!TrimLeft(file.code[i]).starts_with("#include")) {
    return {};
  }
  const std::string_view line = file.lines[i];
  const std::size_t open = line.find_first_of("\"<");
  if (open == std::string_view::npos) {
    return {};
  }
  return line.substr(open, line.find_first_of("\">", open + 1) - open);
}

// Returns why `file` may not include `target`, or nothing.
std::string Refusal(std::string_view file, std::string_view target) {
  const std::string_view from = FirstStep(file.starts_with("src/") ? file.substr(4) : file);
  // A header of the seam that wraps the one that it stands in for.
  if (file.starts_with("src/simulation/seam/") && target.starts_with("src/")) {
    target.remove_prefix(4);
  }
  const std::string_view to = FirstStep(target);
  if (!LevelOf(from)) {
    return "is in no layer: add the folder to the list in tests/lint/include_rules.cpp";
  }
  if (!LevelOf(to)) {
    return fmt::format("\"{}\" is no path from src/ or from the root", target);
  }
  if (*LevelOf(to) > *LevelOf(from)) {
    return fmt::format("{} includes the higher layer {}", from, to);
  }
  if ((from == "schedulers" && to == "workloads") || (from == "workloads" && to == "schedulers")) {
    return "schedulers and workloads do not include each other";
  }
  if (from == "schedulers" && to == "schedulers" && !target.starts_with("schedulers/queues/") &&
      !target.starts_with("schedulers/machines/") && !target.starts_with("schedulers/pool/") &&
      !file.starts_with(SchedulerFolder(target))) {
    return "a scheduler includes itself, schedulers/queues/, schedulers/machines/ and "
           "schedulers/pool/ only";
  }
  return {};
}

}  // namespace

Findings CheckLayers(const SourceFile& file) {
  Findings findings;
  if (!IsProductCode(file.path)) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view include = IncludeOf(file, i);
    if (!include.starts_with('"')) {
      continue;
    }
    if (std::string refusal = Refusal(file.path, include.substr(1)); !refusal.empty()) {
      findings.push_back({file.path, i + 1, std::move(refusal)});
    }
  }
  return findings;
}

Findings CheckSystemHeaders(const SourceFile& file) {
  Findings findings;
  // The simulated machine has no platform below it.
  if (!IsProductCode(file.path) || file.path.starts_with("src/platform/") ||
      file.path.starts_with("src/simulation/machine/")) {
    return findings;
  }
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view include = IncludeOf(file, i);
    if (include.empty()) {
      continue;
    }
    const std::string_view header = include.substr(1);
    if (std::ranges::find(kSystemHeaders, header) != kSystemHeaders.end() ||
        std::ranges::any_of(kSystemFolders,
                            [&](auto folder) { return header.starts_with(folder); })) {
      findings.push_back(
          {file.path, i + 1,
           fmt::format("<{}> belongs into src/platform, the only folder that talks to the system",
                       header)});
    }
  }
  return findings;
}

Findings CheckSanitizerMacros(const SourceFile& file) {
  constexpr std::string_view kHeader = "base/attributes.hpp";
  if (file.path == "src/base/attributes.hpp") {
    return {};
  }
  bool has_header = false;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view include = IncludeOf(file, i);
    has_header = has_header || (include.starts_with('"') && include.substr(1) == kHeader);
    const bool asks = HasWord(file.code[i], "SB_ASAN") || HasWord(file.code[i], "SB_TSAN");
    if (asks && !has_header) {
      return {{file.path, i + 1, fmt::format("include {}, which defines this macro", kHeader)}};
    }
  }
  return {};
}

}  // namespace schedbench::lint
