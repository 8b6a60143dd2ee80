#include "base/attributes.hpp"
#include "fibers/files/file.hpp"
#include "fibers/net/pipe.hpp"
#include "fibers/net/ring_operation.hpp"
#include "fibers/sched/spawn.hpp"
#include "tests/fibers/net/net_support.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

// Operations on files by io_uring.

namespace schedbench::fibers::uring_test {

namespace {

using tests::WithRing;

class Ring : public testing::Test {
 protected:
  void SetUp() override {
    SCHEDBENCH_REQUIRE_RING(ring_->Error());
  }

  const tests::HangGuard guard_{"io_uring"};
  std::optional<WithRing> ring_{std::in_place};
};

std::uint64_t OperationsStarted() {
  return Poller::OfProcess()->OperationsInRing();
}

// A file whose operations wait as long as the test wants.
class BlockingPipe {
 public:
  BlockingPipe() {
    EXPECT_EQ(::pipe2(ends_.data(), O_CLOEXEC), 0);
  }
  ~BlockingPipe() {
    ::close(ends_[0]);
    ::close(ends_[1]);
  }

  BlockingPipe(const BlockingPipe&) = delete;
  BlockingPipe& operator=(const BlockingPipe&) = delete;

  platform::FileRequest ReadRequest(std::span<std::byte> into) const {
    return platform::FileRequest::Read(ends_[0], 0, into);
  }
  std::vector<std::byte> Read(std::size_t bytes) const {
    std::vector<std::byte> read(bytes);
    EXPECT_EQ(::read(ends_[0], read.data(), bytes), static_cast<ssize_t>(bytes));
    return read;
  }
  void Write(const std::vector<std::byte>& bytes) const {
    EXPECT_EQ(::write(ends_[1], bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
  }

 private:
  std::array<int, 2> ends_{};
};

TEST_F(Ring, RunsOperationsOnFilesForFibersAndNotForThreads) {
  File file = File::OpenTemporary(std::filesystem::temp_directory_path().string()).Take();
  const std::uint64_t before = OperationsStarted();
  EXPECT_EQ(file.WriteAt(0, tests::DrawnBytes(10, 1)).bytes, 10U);
  EXPECT_EQ(OperationsStarted(), before) << "a thread may as well block in the call itself";
  tests::RunByHand([&file] {
    EXPECT_EQ(file.WriteAt(5, tests::DrawnBytes(10, 2)).bytes, 10U);
    EXPECT_FALSE(file.Sync());
    std::vector<std::byte> read(10);
    EXPECT_EQ(file.ReadAt(5, read).bytes, 10U);
    EXPECT_EQ(read, tests::DrawnBytes(10, 2));
  });
  const std::uint64_t started = OperationsStarted() - before;
  EXPECT_GE(started, 2U);
  EXPECT_LE(started, 3U) << "the read finds the bytes in memory, where the file system knows that";
}

TEST_F(Ring, RunsAReadThatMustWait) {
  const BlockingPipe pipe;
  std::array<std::byte, 2> buffer{};
  executors::ManualExecutor executor;
  std::optional<std::int64_t> result;
  Go(executor, [&] { result = RingOperation::TryRun(pipe.ReadRequest(buffer)); });
  executor.Drain();
  EXPECT_FALSE(result.has_value());
  pipe.Write(tests::DrawnBytes(2, 3));
  while (!result.has_value()) {
    executor.Drain();
  }
  EXPECT_EQ(*result, 2);
  EXPECT_EQ(std::vector(buffer.begin(), buffer.end()), tests::DrawnBytes(2, 3));
}

#if !defined(SB_ASAN)  // a fiber that is never resumed is a leak
// The buffer lies on the stack of a fiber that ends with its scheduler.
TEST_F(Ring, EndsAnOperationWithTheSchedulerOfItsFiber) {
  const BlockingPipe pipe;
  const std::uint64_t before = OperationsStarted();
  {
    const std::unique_ptr<registry::IScheduler> scheduler = tests::MakeScheduler("fast", 2);
    Go(*scheduler, [&pipe] {
      std::array<std::byte, 64> buffer;
      RingOperation::TryRun(pipe.ReadRequest(buffer));
      ADD_FAILURE() << "the fiber was dropped";
    });
    while (OperationsStarted() == before) {
      std::this_thread::yield();
    }
  }
  pipe.Write(tests::DrawnBytes(2, 4));
  EXPECT_EQ(pipe.Read(2), tests::DrawnBytes(2, 4)) << "the kernel has read them for the fiber";
}
#endif

}  // namespace

}  // namespace schedbench::fibers::uring_test
