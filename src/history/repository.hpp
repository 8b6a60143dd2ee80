#pragma once

#include "history/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::history {

// A git repository, read by the program git. Used by one thread. Throws config::InputError with what git reports.
class Repository {
 public:
  // Throws config::InputError if the folder is in no repository, or if git is missing.
  Repository(std::string folder, IsCancelled cancelled);

  // The full name of the commit that `revision` names.
  std::string Commit(const std::string& revision) const;

  // Seconds since 1970.
  std::int64_t CommitTime(const std::string& commit) const;

  // All commits of all branches and tags, each after its parents.
  std::vector<std::string> Commits() const;

  // The commits after `good` up to `bad` along the first parents, the oldest first. Throws if `good` is not an ancestor.
  std::vector<std::string> Between(const std::string& good, const std::string& bad) const;

  // The commits of words that are revisions or ranges A..B, each once, in their order.
  std::vector<std::string> CommitsOf(const std::vector<std::string>& words) const;

  // Checks the commit out into a new folder. Runs no hooks.
  void AddWorktree(const std::string& commit, const std::string& folder) const;

  // The folder of the repository itself, which all of its worktrees share.
  std::string CommonFolder() const;

  // The first line of the message of a commit.
  std::string Subject(const std::string& commit) const;

 private:
  std::vector<std::string> Git(std::vector<std::string> words) const;
  std::string Line(std::vector<std::string> words) const;

  const std::string folder_;
  const IsCancelled cancelled_;
};

}  // namespace schedbench::history
