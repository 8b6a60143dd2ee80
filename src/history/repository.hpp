#pragma once

#include "history/program.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::history {

// A git repository, read by git, for one thread. Throws config::InputError with git's report.
class Repository {
 public:
  // Throws config::InputError if the folder is not in a repository, or if git is missing.
  Repository(std::string folder, IsCancelled cancelled);

  // Returns the full name of the commit that `revision` names.
  std::string Commit(const std::string& revision) const;

  // Returns seconds since 1970.
  std::int64_t CommitTime(const std::string& commit) const;

  // Returns all commits of all branches and tags, each after its parents.
  std::vector<std::string> Commits() const;

  // Returns commits after `good` to `bad` by first parents, oldest first. Throws if not ancestors.
  std::vector<std::string> Between(const std::string& good, const std::string& bad) const;

  // Returns the commits of words that are revisions or ranges A..B, each once, in their order.
  std::vector<std::string> CommitsOf(const std::vector<std::string>& words) const;

  // Checks the commit out into a new folder. Runs no hooks.
  void AddWorktree(const std::string& commit, const std::string& folder) const;

  // Returns the folder of the repository itself, which all of its worktrees share.
  std::string CommonFolder() const;

  // Returns the first line of the message of a commit.
  std::string Subject(const std::string& commit) const;

 private:
  [[noreturn]] void Refuse(const std::string& message) const;
  ProgramEnd RunGit(std::vector<std::string> words) const;
  std::vector<std::string> Git(std::vector<std::string> words) const;
  std::string Line(std::vector<std::string> words) const;

  const std::string folder_;
  const IsCancelled cancelled_;
};

}  // namespace schedbench::history
