#pragma once

namespace schedbench::registry {

// True if the including file is compiled with optimization. Registrations take it as a default
// argument, so a user's scheduler or workload shows its own value.
#ifdef __OPTIMIZE__
static constexpr bool kIsOptimizedHere = true;
#else
static constexpr bool kIsOptimizedHere = false;
#endif

}  // namespace schedbench::registry
