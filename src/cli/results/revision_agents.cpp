#include "cli/results/revision_agents.hpp"

#include "cli/flags/peers.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "harness/agent/client.hpp"
#include "platform/process/command_words.hpp"

#include <algorithm>
#include <stdexcept>
#include <system_error>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

history::BuildRecipe RecipeOf(const Arguments& arguments) {
  const std::string agent = arguments[kAgentFlag];
  try {
    std::vector<std::string> words = platform::CommandWords(agent);
    if (words.empty() || words.front().empty()) {
      throw std::invalid_argument("names no program");
    }
    return {.command = arguments[kBuildFlag], .agent = std::move(words)};
  } catch (const std::invalid_argument& error) {
    RefuseInput("{}   {}", PlaceOf(kAgentFlag, agent), error.what());
  }
}

}  // namespace

RevisionAgents::RevisionAgents(const Arguments& arguments)
    : repository_(arguments[kRepositoryFlag].value_or("."), [this] { return IsInterrupted(); }),
      worktrees_(
          repository_,
          arguments.Has(kCacheFlag) ? *arguments[kCacheFlag]
                                    : UserFolder("XDG_CACHE_HOME", ".cache", kCacheFlag),
          RecipeOf(arguments), [this] { return IsInterrupted(); },
          [is_quiet = arguments[kQuietFlag]](const std::string& text) {
            if (!is_quiet) {
              Say(text + "\n");
            }
          }) {
}

harness::Alternative RevisionAgents::Of(const std::string& commit, const harness::Alternative& like,
                                        const std::string& workload) {
  harness::Alternative alternative = like;
  alternative.name = commit.substr(0, 10);
  alternative.command = worktrees_.AgentOf(commit);
  harness::HelloReply hello;
  try {
    hello = HelloOf(alternative.command);
  } catch (const harness::AgentLost& error) {
    throw history::NoAgent(fmt::format("its agent does not answer: {}", error.what()));
  } catch (const harness::AgentRefused& error) {
    throw history::NoAgent(fmt::format("its agent refuses: {}", error.what()));
  } catch (const std::system_error&) {
    throw;  // this machine's, not the revision's
  } catch (const std::runtime_error& error) {
    throw history::NoAgent(error.what());
  }
  if (std::ranges::find(hello.schedulers, like.scheduler) == hello.schedulers.end()) {
    const std::vector<std::string_view> known(hello.schedulers.begin(), hello.schedulers.end());
    throw history::NoAgent(fmt::format("it has no scheduler {}{}", config::Quoted(like.scheduler),
                                       config::DidYouMean(like.scheduler, known)));
  }
  if (std::ranges::find(hello.workloads, workload) == hello.workloads.end()) {
    throw history::NoAgent(fmt::format("it has no workload {}", config::Quoted(workload)));
  }
  alternative.tasks = hello.tasks;
  return alternative;
}

}  // namespace schedbench::cli
