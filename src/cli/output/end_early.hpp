#pragma once

#include "harness/live_run.hpp"

#include <functional>
#include <string>

namespace schedbench::cli {

// Tells why a run ended before its time and how much of it there is ("3 of 20 rounds were finished"), delivers that and ends
// the process. Threads of the run may still be at work: nothing is unwound.
[[noreturn]] void EndEarly(const harness::Outcome& outcome, const std::string& finished,
                           const std::function<void()>& deliver);

}  // namespace schedbench::cli
