#pragma once

#include "history/repository.hpp"

#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::history {

// The agent of a revision does not build, or its program is missing. The others can be measured.
class NoAgent : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Builds the agent of a revision from its sources.
struct BuildRecipe {
  std::string command;             // for sh, in the folder of the sources
  std::vector<std::string> agent;  // the program, relative to that folder, and its arguments
};

// Old revisions, checked out and built below a folder that later commands use again. Several
// processes may use it at a time. One thread uses an object.
class Worktrees {
 public:
  // `folder`: the folder of all repositories. `say`: called before a build, which may take minutes.
  Worktrees(const Repository& repository, const std::string& folder, BuildRecipe recipe,
            IsCancelled cancelled, std::function<void(const std::string& text)> say);

  // Returns the command that starts the agent of a commit. Checks the commit out and builds it if
  // necessary. Throws NoAgent, Cancelled, and config::InputError if git fails.
  std::vector<std::string> AgentOf(const std::string& commit);

 private:
  void Build(const std::string& commit, const std::string& place);

  const Repository& repository_;
  const BuildRecipe recipe_;
  const IsCancelled cancelled_;
  const std::function<void(const std::string& text)> say_;
  std::string folder_;  // folder of this repository
};

}  // namespace schedbench::history
