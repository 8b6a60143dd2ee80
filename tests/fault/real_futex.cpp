// The real futex under the names by which tests/fault/seam/platform/futex.hpp calls it.
#define SCHEDBENCH_REAL_FUTEX
#define FutexWait RealFutexWait
#define FutexWaitFor RealFutexWaitFor
#define FutexWake RealFutexWake
#include "src/platform/futex.cpp"
