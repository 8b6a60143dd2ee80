#include "history/worktrees.hpp"

#include "base/last_line.hpp"
#include "config/quote.hpp"
#include "history/content_hash.hpp"
#include "platform/files/file.hpp"
#include "platform/files/input_file.hpp"
#include "platform/files/journal_file.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

namespace schedbench::history {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kDigits = 12;  // digits of a hash in the name of a folder

// Waits while another process builds the revision.
std::unique_ptr<platform::JournalFile> Lock(const std::string& path, const IsCancelled& cancelled) {
  constexpr std::uint64_t kLookNs = 200'000'000;
  for (;;) {
    try {
      return std::make_unique<platform::JournalFile>(path);
    } catch (const platform::JournalRefused&) {
      if (cancelled()) {
        throw Cancelled("interrupted");
      }
      platform::SleepForNs(kLookNs);
    }
  }
}

}  // namespace

Worktrees::Worktrees(const Repository& repository, const std::string& folder, BuildRecipe recipe,
                     IsCancelled cancelled, std::function<void(const std::string& text)> say)
    : repository_(repository),
      recipe_(std::move(recipe)),
      cancelled_(std::move(cancelled)),
      say_(std::move(say)),
      folder_(fmt::format("{}/worktrees/{}", folder,
                          ContentHash(repository.CommonFolder()).substr(0, kDigits))) {
  std::error_code error;
  fs::create_directories(folder_, error);
  if (error) {
    throw platform::WriteError(error, "cannot create " + config::Quoted(folder_));
  }
  folder_ = fs::canonical(folder_);
}

std::vector<std::string> Worktrees::AgentOf(const std::string& commit) {
  const std::string place =
      fmt::format("{}/{}-{}", folder_, commit, ContentHash(recipe_.command).substr(0, kDigits));
  const auto lock = Lock(place + ".lock", cancelled_);
  // The file exists if the build succeeded.
  const std::string mark = place + ".built";
  if (!fs::exists(mark) || !fs::is_directory(place)) {
    fs::remove(mark);
    fs::remove_all(place);
    repository_.AddWorktree(commit, place);
    Build(commit, place);
    platform::WriteFileWhole(mark, recipe_.command + "\n");
  }
  std::vector<std::string> agent = recipe_.agent;
  agent.front() = fs::path(place) / agent.front();
  if (!fs::is_regular_file(agent.front())) {
    throw NoAgent(fmt::format("its build has made no program {}",
                              config::Escaped(recipe_.agent.front(), 400)));
  }
  return agent;
}

void Worktrees::Build(const std::string& commit, const std::string& place) {
  say_(fmt::format("building {}", commit.substr(0, kDigits)));
  const std::string log = place + ".log";
  // The user's words are an argument, not a part of this script.
  const ProgramEnd end =
      RunProgram({"sh", "-c", R"(cd "$1" && exec sh -c "$2" >"$3" 2>&1 </dev/null)", "sh", place,
                  recipe_.command, log},
                 cancelled_);
  if (end.good) {
    return;
  }
  std::string text;
  try {
    constexpr std::size_t kLargest = std::size_t{64} << 20U;
    text = platform::ReadInput(log, {.largest = kLargest});
  } catch (const platform::ReadError&) {
    // The reason then lacks the last line.
  }
  const std::string last(LastLine(text));
  throw NoAgent(fmt::format("does not build ({}){}{}    less {}", end.text,
                            last.empty() ? "" : ": ", config::Escaped(last, 200), log));
}

}  // namespace schedbench::history
