#pragma once

#include "cli/flags/arguments.hpp"
#include "cli/flags/history_flags.hpp"
#include "history/repository.hpp"
#include "history/worktrees.hpp"
#include "platform/process/interrupt.hpp"

#include <string>

// The agents of old revisions, by the flags of history measure and history bisect.

namespace schedbench::cli {

inline constexpr auto kBuildFlag =
    TextFlag{"--build", "", "COMMAND", "measure, bisect: builds a revision in its folder, by sh"}
        .Default("cmake --preset release && cmake --build --preset release --target schedbench");
inline constexpr auto kAgentFlag =
    TextFlag{"--agent", "", "COMMAND",
             "measure, bisect: the agent of a revision, relative to its folder, with its arguments"}
        .Default("build/release/schedbench agent");
inline constexpr auto kCacheFlag = TextFlag{
    "--cache", "", "DIR",
    "Where revisions are built (default: schedbench below XDG_CACHE_HOME, otherwise ~/.cache)"};

// Builds revisions and asks their agents. For the main thread. Throws config::InputError.
class RevisionAgents {
 public:
  explicit RevisionAgents(const Arguments& arguments);

  // Returns whether the user has asked to stop.
  bool IsInterrupted() {
    return interrupt_.HasCome();
  }

  const history::Repository& Repository() const {
    return repository_;
  }

  // Returns an alternative of the agent of a commit, with the scheduler and the config of `like`.
  // Throws history::NoAgent with the reason if the commit does not build, or its agent does not
  // answer or lacks the scheduler or the workload; and history::Cancelled.
  harness::Alternative Of(const std::string& commit, const harness::Alternative& like,
                          const std::string& workload);

 private:
  platform::InterruptibleEvent interrupt_;
  history::Repository repository_;
  history::Worktrees worktrees_;
};

}  // namespace schedbench::cli
