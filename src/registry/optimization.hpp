#pragma once

namespace schedbench::registry {

// Whether the source file that includes this is compiled with optimization. Registrations take it as a default argument, so
// that a scheduler or a workload of a user's program, which has its own flags, shows its own value.
#ifdef __OPTIMIZE__
static constexpr bool kIsOptimizedHere = true;
#else
static constexpr bool kIsOptimizedHere = false;
#endif

}  // namespace schedbench::registry
