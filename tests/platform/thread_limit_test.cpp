#include "platform/machine/thread_limit.hpp"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace schedbench::platform::thread_limit_test {

namespace {

TEST(ThreadLimit, NamesTheNarrowestLimitAndItsValue) {
  const ThreadLimit limit = ReadThreadLimit();
  EXPECT_GT(limit.threads, 0U);
  EXPECT_LT(limit.threads, 4'000'000U);  // of the kernel's pid_max there are no more
  EXPECT_NE(limit.reason.find(" = "), std::string::npos) << limit.reason;
}

TEST(ThreadLimit, PermitsWhatTheMachineThenGives) {
  std::vector<std::jthread> threads;
  for (std::uint64_t i = 0; i < std::min<std::uint64_t>(ReadThreadLimit().threads, 200); ++i) {
    threads.emplace_back([] {});
  }
}

}  // namespace

}  // namespace schedbench::platform::thread_limit_test
