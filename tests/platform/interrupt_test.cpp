#include "platform/process/interrupt.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include <unistd.h>

namespace schedbench::platform::interrupt_test {

namespace {

namespace fs = std::filesystem;

// Returns the numbers of the eventfds of this process.
std::vector<int> EventDescriptors() {
  std::vector<int> descriptors;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc/self/fd")) {
    std::error_code closed;  // the iterator's own descriptor
    if (fs::read_symlink(entry.path(), closed) == "anon_inode:[eventfd]") {
      descriptors.push_back(std::stoi(entry.path().filename().string()));
    }
  }
  return descriptors;
}

TEST(InterruptibleEvent, HandlesItsSignalsOnTheSignalStackAndNeverOnAFibers) {
  const InterruptibleEvent event;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction action{};
    ASSERT_EQ(::sigaction(signal, nullptr, &action), 0);
    EXPECT_NE(action.sa_flags & SA_ONSTACK, 0) << signal;
  }
}

TEST(InterruptibleEvent, ForgetsWhatALateHandlerOfAnEarlierEventWrites) {
  {
    const InterruptibleEvent earlier;
  }
  const std::vector<int> descriptors = EventDescriptors();
  ASSERT_EQ(descriptors.size(), 1U);
  InterruptibleEvent event;
  EXPECT_EQ(EventDescriptors(), descriptors);
  std::uint64_t count = 1;
  ASSERT_EQ(::write(descriptors[0], &count, sizeof(count)), 8);
  EXPECT_EQ(event.WaitFor(std::chrono::milliseconds(20)), std::nullopt);
  EXPECT_EQ(::read(descriptors[0], &count, sizeof(count)), -1) << "a later wait would spin";
  event.Set();
  EXPECT_EQ(event.Wait(), InterruptibleEvent::Ending::kSet);
}

}  // namespace

}  // namespace schedbench::platform::interrupt_test
