#pragma once

#include "platform/threads/thread.hpp"

#include <gtest/gtest.h>

#include <string>

// Features that some machines lack. Each function tries the feature itself, once, and returns why
// it is missing, or an empty text. A test that needs a feature begins with its macro, which skips
// the test with that reason.

namespace schedbench::tests {

// A terminal for a child's stream. Not without /dev/pts.
const std::string& WhyNoPseudoTerminal();

// Tracing a child, as strace does, with strace installed. Often forbidden in containers.
const std::string& WhyNoTrace();

// A second CPU, for what happens only while two threads run at the same moment.
inline std::string WhyNoSecondCpu() {
  return platform::AllowedCpus() > 1 ? "" : "one CPU: no two threads run at the same moment";
}

// io_uring, as fibers/net uses it. Often forbidden in containers.
inline std::string WhyNoRing(int error) {
  return error == 0 ? "" : "io_uring is refused: errno " + std::to_string(-error);
}

}  // namespace schedbench::tests

#define SCHEDBENCH_SKIP_IF(why)                               \
  do {                                                        \
    if (const std::string& reason = (why); !reason.empty()) { \
      GTEST_SKIP() << reason;                                 \
    }                                                         \
  } while (false)

#define SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL() \
  SCHEDBENCH_SKIP_IF(::schedbench::tests::WhyNoPseudoTerminal())
// `error`: what Poller::UseRing() has returned.
#define SCHEDBENCH_REQUIRE_RING(error) SCHEDBENCH_SKIP_IF(::schedbench::tests::WhyNoRing(error))
#define SCHEDBENCH_REQUIRE_SECOND_CPU() SCHEDBENCH_SKIP_IF(::schedbench::tests::WhyNoSecondCpu())
#define SCHEDBENCH_REQUIRE_TRACE() SCHEDBENCH_SKIP_IF(::schedbench::tests::WhyNoTrace())
