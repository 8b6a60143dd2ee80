#pragma once

#include "profile/folded.hpp"
#include "profile/sampling/stack_profile.hpp"
#include "profile/text_sink.hpp"

#include <span>
#include <string>
#include <string_view>

namespace schedbench::profile {

// What `perf script -F comm,pid,tid,cpu,time,period,event,ip,sym,symoff,dso` would print of the samples: the command is the
// worker ("sb-w3"), the outermost frame the owner of the sample, the period its weight in nanoseconds. Read by
// stackcollapse-perf.pl, inferno and the Firefox Profiler; speedscope reads it too, but takes the time to the next sample for
// the weight of one, also where the worker slept: it has a format of its own (speedscope.hpp).
//
// `event`: what made the samples, without blanks: "task-clock:u". `about`: lines for the head of the file. `roots`: but for the
// worker, which is the command in any case.
void WritePerfScript(const StackProfile& profile, std::string_view event,
                     std::span<const std::string> about, const Roots& roots, const TextSink& sink);

}  // namespace schedbench::profile
