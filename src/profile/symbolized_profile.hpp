#pragma once

#include "profile/stack_profile.hpp"

namespace schedbench::profile {

// Whose calls a profile shows.
enum class Show {
  kOwn,    // from where a fiber begins, and of a worker without one from its loop on
  kWorker  // also those of the worker that lead there
};

// Returns the profile that a Sampler has made with names in place of addresses, and what was inlined. Takes some tenths of a
// second the first time, to read debug information.
StackProfile Symbolized(const StackProfile& raw, Show show);

}  // namespace schedbench::profile
