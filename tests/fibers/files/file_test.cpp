// Files, as fibers of several schedulers and threads use them.
#include "fibers/files/file.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/fibers/net/net_support.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <sys/resource.h>
#include <sys/stat.h>

namespace schedbench::fibers::file_test {

namespace {

using tests::DrawnBytes;
using tests::HangGuard;

File Temporary() {
  return File::OpenTemporary(std::filesystem::temp_directory_path().string()).Take();
}

class Files : public testing::TestWithParam<const char*> {
 protected:
  const HangGuard guard_{"files of one scheduler"};
  const std::unique_ptr<registry::IScheduler> scheduler_ = tests::MakeScheduler(GetParam(), 2);
};

INSTANTIATE_TEST_SUITE_P(Schedulers, Files,
                         testing::Values("fast", "fast:blocking=hand_off",
                                         "fast:blocking=hand_off,netpoll=uring", "work_stealing",
                                         "global_fifo", "thread_per_task"),
                         [](const auto& info) { return tests::TestNameOf(info.param); });

TEST_P(Files, HaveWhatWasWrittenByManyFibersAtATime) {
  constexpr std::size_t kFibers = 200;
  constexpr std::size_t kBytes = 700;
  File file = Temporary();
  WaitGroup done;
  done.Add(kFibers);
  for (std::size_t i = 0; i < kFibers; ++i) {
    Go(*scheduler_, [&, i] {
      const std::vector<std::byte> written = DrawnBytes(kBytes, i);
      std::vector<std::byte> read(kBytes);
      for (int turn = 0; turn < 3; ++turn) {
        EXPECT_EQ(file.WriteAt(i * kBytes, written).bytes, kBytes);
        EXPECT_EQ(file.ReadAt(i * kBytes, read).bytes, kBytes);
        EXPECT_EQ(read, written);
      }
      done.Done();
    });
  }
  done.Wait();
  scheduler_->WaitIdle();
  EXPECT_FALSE(file.Sync());
  EXPECT_EQ(*file.Size(), kFibers * kBytes);
}

TEST(File, EndsWhereItEndsAndHasZerosInAGap) {
  File file = Temporary();
  std::array<std::byte, 4> buffer{std::byte{9}, std::byte{9}, std::byte{9}, std::byte{9}};
  EXPECT_EQ(file.ReadAt(0, buffer).bytes, 0);
  EXPECT_EQ(file.WriteAt(2, DrawnBytes(1, 0)).bytes, 1);
  const Transfer got = file.ReadAt(0, buffer);
  EXPECT_TRUE(got.Ok());
  EXPECT_EQ(got.bytes, 3);
  EXPECT_EQ(buffer[0], std::byte{0});
  EXPECT_EQ(buffer[2], DrawnBytes(1, 0)[0]);
}

TEST_P(Files, HaveNoPositionsThatTheKernelTakesForNegative) {
  File file = Temporary();
  WaitGroup done;
  done.Add(1);
  Go(*scheduler_, [&] {
    std::array<std::byte, 8> buffer{};
    EXPECT_EQ(file.WriteAt(0, buffer).bytes, buffer.size());
    for (const std::uint64_t position : {~std::uint64_t{0}, std::uint64_t{1} << 63U}) {
      EXPECT_EQ(file.ReadAt(position, buffer).error.number, EINVAL);
      EXPECT_EQ(file.WriteAt(position, buffer).error.number, EINVAL);
    }
    done.Done();
  });
  done.Wait();
  scheduler_->WaitIdle();
  EXPECT_EQ(*file.Size(), 8U);
}

TEST(File, ReportsWhatGoesWrong) {
  const std::filesystem::path folder = std::filesystem::temp_directory_path() /
                                       ("schedbench-file-test-" + std::to_string(::getpid()));
  std::filesystem::create_directory(folder);
  const std::string path = folder / "file";
  EXPECT_EQ(File::Open(path, File::Use::kRead).Error().number, ENOENT);
  EXPECT_EQ(File::Open(folder, File::Use::kReadWrite).Error().number, EISDIR);
  EXPECT_TRUE(File::Open(path, File::Use::kCreateNew).Ok());
  EXPECT_EQ(File::Open(path, File::Use::kCreateNew).Error().number, EEXIST);
  File file = File::Open(path, File::Use::kRead).Take();
  EXPECT_EQ(file.WriteAt(0, DrawnBytes(1, 0)).error.number, EBADF) << "only to read";
  file.Close();
  file.Close();
  std::array<std::byte, 1> buffer{};
  EXPECT_EQ(file.ReadAt(0, buffer).error.number, EBADF);
  EXPECT_EQ(file.Size().Error().number, EBADF);
  EXPECT_EQ(File::OpenTemporary(path).Error().number, ENOTDIR);
  const std::string fifo = folder / "fifo";
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  EXPECT_EQ(File::Open(fifo, File::Use::kReadWrite).Error().number, ESPIPE);
  std::filesystem::remove_all(folder);
}

TEST(File, ReportsHowMuchWasWrittenBeforeTheMediumWasFull) {
  File file = Temporary();
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit low = before;
  low.rlim_cur = 1000;
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &low), 0);
  const Transfer written = file.WriteAt(0, DrawnBytes(1500, 1));
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(written.bytes, 1000);
  EXPECT_EQ(written.error.number, EFBIG);
}

TEST(File, LeavesNoDescriptorOpen) {
  const std::size_t before = tests::OpenDescriptors();
  for (int i = 0; i < 50; ++i) {
    File file = Temporary();
    File moved = std::move(file);
    file = Temporary();
  }
  EXPECT_EQ(tests::OpenDescriptors(), before);
}

}  // namespace

}  // namespace schedbench::fibers::file_test
