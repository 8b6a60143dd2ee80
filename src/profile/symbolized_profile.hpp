#pragma once

#include "profile/sampling/stack_profile.hpp"

namespace schedbench::profile {

// The functions whose calls a profile shows.
enum class Show {
  kOwn,    // from where a fiber begins, and of a worker without one from its loop on
  kWorker  // also those of the worker that lead there
};

// What becomes of functions of the standard library that the compiler inlined at the end of a stack, such as
// std::__atomic_base::load: how a line of its caller is made, and seldom what a reader looks for.
enum class InlinedLeaves {
  kFolded,  // their samples are those of their caller
  kShown
};

// Returns the profile that a Sampler has made with names in place of addresses, and what was inlined. Takes some tenths of a
// second the first time, to read debug information.
StackProfile Symbolized(const StackProfile& raw, Show show,
                        InlinedLeaves leaves = InlinedLeaves::kFolded);

}  // namespace schedbench::profile
