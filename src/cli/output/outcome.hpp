#pragma once

#include "harness/live_run.hpp"

#include <functional>
#include <string>

namespace schedbench::cli {

// Delivers the result of a run. If the run ended early, also reports the reason and the finished part, and ends the process
// without unwinding, because threads may still be running. `finished`: "3 of 20 rounds were finished", the default.
void DeliverOutcome(const harness::Outcome& outcome, const std::function<void()>& deliver,
                    const std::string& finished = "");

}  // namespace schedbench::cli
