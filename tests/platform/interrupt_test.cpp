#include "platform/process/interrupt.hpp"

#include <gtest/gtest.h>

#include <csignal>

namespace schedbench::platform::interrupt_test {

namespace {

TEST(InterruptibleEvent, HandlesItsSignalsOnTheSignalStackAndNeverOnAFibers) {
  const InterruptibleEvent event;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    ASSERT_EQ(::sigaction(signal, nullptr, &action), 0);
    EXPECT_NE(action.sa_flags & SA_ONSTACK, 0) << signal;
  }
}

}  // namespace

}  // namespace schedbench::platform::interrupt_test
