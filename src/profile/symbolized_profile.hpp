#pragma once

#include "profile/sampling/stack_profile.hpp"

namespace schedbench::profile {

// The functions whose calls a profile shows.
enum class Show {
  kOwn,    // from the start of the fiber, or without one from the worker's loop
  kWorker  // also calls of the worker that lead there
};

// The treatment of standard library functions that the compiler inlined at the end of a stack, such
// as std::__atomic_base::load: they are details of a line, and rarely of interest.
enum class InlinedLeaves {
  kFolded,  // their samples count for their caller
  kShown
};

// Returns a Sampler's profile with names instead of addresses, and with inlined functions. The
// first call takes some tenths of a second to read debug information.
StackProfile Symbolized(const StackProfile& raw, Show show,
                        InlinedLeaves leaves = InlinedLeaves::kFolded);

}  // namespace schedbench::profile
