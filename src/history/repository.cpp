#include "history/repository.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <iterator>
#include <system_error>
#include <utility>

namespace schedbench::history {

namespace {

constexpr std::string_view kRange = "..";

std::string ErrorOf(const ProgramEnd& end) {
  std::string error = end.error;
  while (error.ends_with('\n')) {
    error.pop_back();
  }
  return config::Escaped(error, 1000);
}

}  // namespace

Repository::Repository(std::string folder, IsCancelled cancelled)
    : folder_(std::move(folder)),
      cancelled_(std::move(cancelled)) {
  Line({"rev-parse", "--git-dir"});
}

std::string Repository::Commit(const std::string& revision) const {
  const ProgramEnd end =
      RunGit({"rev-parse", "--verify", "--end-of-options", revision + "^{commit}"});
  if (!end.good || end.lines.empty()) {
    Refuse(fmt::format("has no revision {}; git: {}", config::Quoted(revision), ErrorOf(end)));
  }
  return end.lines.front();
}

std::int64_t Repository::CommitTime(const std::string& commit) const {
  const std::string text = Line({"show", "-s", "--format=%ct", "--end-of-options", commit});
  std::int64_t time = 0;
  std::from_chars(text.data(), text.data() + text.size(), time);
  return time;
}

std::vector<std::string> Repository::Commits() const {
  return Git({"rev-list", "--topo-order", "--reverse", "--all", "HEAD"});
}

std::vector<std::string> Repository::Between(const std::string& good,
                                             const std::string& bad) const {
  const std::string base = Line({"merge-base", "--end-of-options", good, bad});
  if (base != good) {
    throw config::InputError(fmt::format("{} is not an ancestor of {}    history bisect GOOD BAD",
                                         config::Quoted(good), config::Quoted(bad)));
  }
  return Git({"rev-list", "--first-parent", "--reverse", "--end-of-options", "^" + good, bad});
}

std::vector<std::string> Repository::CommitsOf(const std::vector<std::string>& words) const {
  std::vector<std::string> commits;
  const auto add = [&commits](const std::string& commit) {
    if (std::ranges::find(commits, commit) == commits.end()) {
      commits.push_back(commit);
    }
  };
  for (const std::string& word : words) {
    const std::size_t range = word.find(kRange);
    if (range == std::string::npos) {
      add(Commit(word));
      continue;
    }
    const std::string last = word.substr(range + kRange.size());
    const std::vector<std::string> between =
        Between(Commit(word.substr(0, range)), Commit(last.empty() ? "HEAD" : last));
    if (between.empty()) {
      Refuse(fmt::format("there is no commit in {}", config::Quoted(word)));
    }
    std::ranges::for_each(between, add);
  }
  return commits;
}

void Repository::AddWorktree(const std::string& commit, const std::string& folder) const {
  // An interrupted command may have registered this folder, which is gone. --force replaces only
  // that registration: `git worktree prune` would also delete the index and HEAD of a user's
  // worktree whose disk is not mounted.
  Git({"worktree", "add", "--force", "--quiet", "--detach", folder, commit});
}

std::string Repository::CommonFolder() const {
  const std::filesystem::path common = Line({"rev-parse", "--git-common-dir"});
  std::error_code error;
  const auto whole =
      std::filesystem::canonical(common.is_absolute() ? common : folder_ / common, error);
  return error ? common.string() : whole.string();
}

std::string Repository::Subject(const std::string& commit) const {
  return Line({"show", "-s", "--format=%s", "--end-of-options", commit});
}

void Repository::Refuse(const std::string& message) const {
  throw config::InputError(
      {{.where = config::Escaped(folder_, 4096), .path = "", .message = message}});
}

ProgramEnd Repository::RunGit(std::vector<std::string> words) const {
  std::vector<std::string> command{"git", "-c", "core.hooksPath=/dev/null", "-C", folder_};
  std::ranges::move(words, std::back_inserter(command));
  try {
    return RunProgram(command, cancelled_);
  } catch (const std::system_error& error) {
    throw config::InputError(
        fmt::format("cannot run git: {}    apt-get install git", error.code().message()));
  }
}

std::vector<std::string> Repository::Git(std::vector<std::string> words) const {
  ProgramEnd end = RunGit(std::move(words));
  if (!end.good) {
    Refuse("git: " + ErrorOf(end));
  }
  return std::move(end.lines);
}

std::string Repository::Line(std::vector<std::string> words) const {
  const std::vector<std::string> lines = Git(std::move(words));
  return lines.empty() ? "" : lines.front();
}

}  // namespace schedbench::history
