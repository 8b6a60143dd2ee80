// The real futex under the names by which tests/fault/seam/platform/threads/futex.hpp calls it.
#define SCHEDBENCH_REAL_FUTEX
// NOLINTBEGIN(readability-identifier-naming): the names of functions, to rename them
#define FutexWait RealFutexWait
#define FutexWaitFor RealFutexWaitFor
#define FutexWake RealFutexWake
// NOLINTEND(readability-identifier-naming)
// NOLINTNEXTLINE(bugprone-suspicious-include): compiled here once more, renamed.
#include "src/platform/threads/futex.cpp"
