#include "platform/threads/signal_stack.hpp"

#include "platform/threads/thread.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <thread>
#include <vector>

#include <sys/auxv.h>

namespace schedbench::platform::signal_stack_test {

namespace {

stack_t Present() {
  stack_t present{};
  sigaltstack(nullptr, &present);
  return present;
}

bool HasOne() {
  return (Present().ss_flags & SS_DISABLE) == 0;
}

TEST(SignalStack, IsAtLeast64KiBAndTakesTheRegistersOfThisCpu) {
  EXPECT_GE(SignalStack::Bytes(), 65536U + 2 * getauxval(AT_MINSIGSTKSZ));
}

TEST(SignalStack, IsThereInEveryThreadOfTheProject) {
  bool has_one = false;
  std::size_t bytes = 0;
  {
    const Thread thread("with", [&] {
      has_one = HasOne();
      bytes = Present().ss_size;
    });
  }
  EXPECT_TRUE(has_one);
  EXPECT_GE(bytes, static_cast<std::size_t>(getauxval(AT_MINSIGSTKSZ)));
}

TEST(SignalStack, LeavesTheStackAloneThatAThreadHasAlready) {
  std::thread([] {
    std::vector<char> memory(SignalStack::Bytes());
    const stack_t own{.ss_sp = memory.data(), .ss_flags = 0, .ss_size = memory.size()};
    stack_t former{};
    sigaltstack(&own, &former);
    {
      const SignalStack stack;
      EXPECT_EQ(Present().ss_sp, memory.data());
    }
    EXPECT_EQ(Present().ss_sp, memory.data());
    sigaltstack(&former, nullptr);
  }).join();
}

TEST(SignalStack, IsGoneWithTheObject) {
  std::thread([] {
    const bool had_one = HasOne();  // a sanitizer's
    {
      const SignalStack stack;
      EXPECT_TRUE(HasOne());
    }
    EXPECT_EQ(HasOne(), had_one);
  }).join();
}

}  // namespace

}  // namespace schedbench::platform::signal_stack_test
