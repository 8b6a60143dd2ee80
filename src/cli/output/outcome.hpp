#pragma once

#include "harness/live_run.hpp"

#include <functional>
#include <string>

namespace schedbench::cli {

// Delivers the result of a run. If the run ended early: also reports why and how much of it there is, and ends the process.
// Threads of the run may still be at work, so nothing is unwound. `finished`: "3 of 20 rounds were finished", the default.
void DeliverOutcome(const harness::Outcome& outcome, const std::function<void()>& deliver,
                    const std::string& finished = "");

}  // namespace schedbench::cli
