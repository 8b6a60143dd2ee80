#pragma once

#include "profile/folded.hpp"
#include "profile/sampling/stack_profile.hpp"
#include "profile/text_sink.hpp"

#include <span>
#include <string>
#include <string_view>

namespace schedbench::profile {

// Writes what `perf script -F comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso` would print:
// the command is the worker ("sb-w3"), the outermost frame the owner of the sample, the period its
// weight in nanoseconds. stackcollapse-perf.pl, inferno and the Firefox Profiler read it.
// speedscope also reads it, but weighs a sample by the time to the next one, even if the worker
// slept: it has its own format (speedscope.hpp).
// `event`: the source of the samples, without blanks: "task-clock:u". `about`: lines for the head
// of the file. `roots`: without the worker, which is the command in any case.
// worker, which is the command in any case.
void WritePerfScript(const StackProfile& profile, std::string_view event,
                     std::span<const std::string> about, const Roots& roots, const TextSink& sink);

}  // namespace schedbench::profile
