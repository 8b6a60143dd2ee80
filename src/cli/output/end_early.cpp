#include "cli/output/end_early.hpp"

#include "cli/exit_code.hpp"
#include "cli/output/output.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <cstdlib>
#include <exception>

namespace schedbench::cli {

void EndEarly(const harness::Outcome& outcome, const std::string& finished,
              const std::function<void()>& deliver) {
  const bool interrupted = outcome.ending == harness::Ending::kInterrupted;
  const ExitCode code = interrupted                                 ? ExitCode::kInterrupted
                        : outcome.ending == harness::Ending::kLimit ? ExitCode::kInput
                                                                    : ExitCode::kWrongAnswer;
  const harness::RunResult& result = outcome.result;
  Say(fmt::format("{}{}\n", interrupted ? "" : "error: ", config::Escaped(result.failure, 2000)));
  Say(result.diagnosis);
  Say(finished + "\n");
  try {
    deliver();
  } catch (const std::exception& error) {
    Say(fmt::format("error: {}\n", error.what()));
  }
  std::_Exit(static_cast<int>(code));
}

}  // namespace schedbench::cli
