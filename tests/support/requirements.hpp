#pragma once

#include <gtest/gtest.h>

#include <string>

// What a test needs of the machine that not every machine has. Each function tries the thing itself, once, and returns why
// it cannot be had, or nothing. A test that needs it begins with the macro: without it the test is skipped with the reason.

namespace schedbench::tests {

// A terminal for a child's stream. Not without /dev/pts.
const std::string& WhyNoPseudoTerminal();

// Tracing a child, as strace does, with strace installed. Often forbidden in containers.
const std::string& WhyNoTrace();

}  // namespace schedbench::tests

#define SCHEDBENCH_REQUIRE_(why)                             \
  do {                                                       \
    if (const std::string reason = (why); !reason.empty()) { \
      GTEST_SKIP() << reason;                                \
    }                                                        \
  } while (false)

#define SCHEDBENCH_REQUIRE_PSEUDO_TERMINAL() \
  SCHEDBENCH_REQUIRE_(::schedbench::tests::WhyNoPseudoTerminal())
#define SCHEDBENCH_REQUIRE_TRACE() SCHEDBENCH_REQUIRE_(::schedbench::tests::WhyNoTrace())
