#include "cli/output/outcome.hpp"

#include "cli/exit_code.hpp"
#include "cli/output/output.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <exception>

namespace schedbench::cli {

void DeliverOutcome(const harness::Outcome& outcome, const std::function<void()>& deliver,
                    const std::string& finished) {
  if (outcome.ending == harness::Ending::kComplete) {
    deliver();
    return;
  }
  const bool interrupted = outcome.ending == harness::Ending::kInterrupted;
  const ExitCode code = interrupted                                 ? ExitCode::kInterrupted
                        : outcome.ending == harness::Ending::kLimit ? ExitCode::kInput
                                                                    : ExitCode::kWrongAnswer;
  const harness::RunResult& result = outcome.result;
  Say(fmt::format("{}{}\n", interrupted ? "" : "error: ", config::Escaped(result.failure, 2000)));
  Say(result.diagnosis);
  Say(finished.empty()
          ? fmt::format("{} of {} rounds were finished\n", result.rounds.size(), result.plan.rounds)
          : finished + "\n");
  try {
    deliver();
  } catch (const std::exception& error) {
    Say(fmt::format("error: {}\n", error.what()));
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace schedbench::cli
