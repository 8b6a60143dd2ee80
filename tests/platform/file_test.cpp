#include "platform/files/file.hpp"

#include "base/spin_wait.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::platform::file_test {

namespace {

namespace fs = std::filesystem;

std::string ReadAll(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

class WriteFileWholeTest : public testing::Test {
 protected:
  WriteFileWholeTest()
      : folder_((fs::temp_directory_path() / "schedbench-file-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr) {
      throw std::runtime_error("mkdtemp");
    }
  }

  ~WriteFileWholeTest() override {
    fs::remove_all(folder_);
  }

  std::string Path(const std::string& name) const {
    return folder_ + "/" + name;
  }

  std::size_t FileCount() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder_), {}));
  }

  std::string folder_;
};

TEST_F(WriteFileWholeTest, MakesAFileWithTheUsualPermissions) {
  WriteFileWhole(Path("new"), "text\n");
  EXPECT_EQ(ReadAll(Path("new")), "text\n");
  const mode_t mask = ::umask(0);
  ::umask(mask);
  EXPECT_EQ(static_cast<mode_t>(fs::status(Path("new")).permissions()), 0666 & ~mask);
  EXPECT_EQ(FileCount(), 1);
}

TEST_F(WriteFileWholeTest, ReplacesTheContentAndKeepsThePermissions) {
  WriteFileWhole(Path("file"), "a longer former text");
  fs::permissions(Path("file"), fs::perms::owner_read | fs::perms::owner_write);
  WriteFileWhole(Path("file"), "new");
  EXPECT_EQ(ReadAll(Path("file")), "new");
  EXPECT_EQ(fs::status(Path("file")).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(WriteFileWholeTest, FollowsSymbolicLinks) {
  fs::create_directory(Path("there"));
  WriteFileWhole(Path("there/file"), "former");
  fs::create_symlink("there/file", Path("link"));
  WriteFileWhole(Path("link"), "new");
  EXPECT_TRUE(fs::is_symlink(Path("link")));
  EXPECT_EQ(ReadAll(Path("there/file")), "new");
}

TEST_F(WriteFileWholeTest, WritesADeviceDirectlyAndLeavesItInPlace) {
  WriteFileWhole("/dev/null", "text");
  EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

TEST_F(WriteFileWholeTest, NamesTheFileAndTheReasonWhenItFails) {
  try {
    WriteFileWhole(Path("none/file"), "text");
    FAIL() << "nothing was thrown";
  } catch (const WriteError& error) {
    EXPECT_EQ(std::string(error.what()),
              "cannot write " + Path("none/file") + ": No such file or directory");
  }
  EXPECT_THROW(WriteFileWhole(folder_, "text"), WriteError);
  EXPECT_THROW(WriteFileWhole("/dev/full", "text"), WriteError);
}

TEST_F(WriteFileWholeTest, CanBeAskedBeforehandWithoutATrace) {
  CheckWritable(Path("file"));
  EXPECT_EQ(FileCount(), 0);
  EXPECT_THROW(CheckWritable(Path("none/file")), WriteError);
  EXPECT_THROW(CheckWritable(folder_), WriteError);
}

TEST_F(WriteFileWholeTest, RefusesAFileThatIsProtectedAgainstWriting) {
  WriteFileWhole(Path("file"), "kept");
  fs::permissions(Path("file"), fs::perms::owner_read);
  EXPECT_THROW(CheckWritable(Path("file")), WriteError);
  EXPECT_THROW(WriteFileWhole(Path("file"), "new"), WriteError);
  EXPECT_EQ(ReadAll(Path("file")), "kept");
}

// Writes 'a's and 'b's in turn until it is killed; says so before each.
[[noreturn]] void WriteForever(const std::string& path, int fd, std::size_t bytes) {
  const std::array texts{std::string(bytes, 'a'), std::string(bytes, 'b')};
  for (std::size_t i = 0;; ++i) {
    if (::write(fd, "x", 1) != 1) {
      std::_Exit(1);
    }
    WriteFileWhole(path, texts[i % texts.size()]);
  }
}

void SpinFor(std::uint64_t loops) {
  for (std::uint64_t i = 0; i < loops; ++i) {
    CpuRelax();
  }
}

TEST_F(WriteFileWholeTest, LeavesTheFormerFileOrTheNewOneWhenKilledAnywhere) {
  constexpr std::size_t kBytes = 300'000;
  constexpr int kKills = 50;
  std::mt19937_64 random(2024);
  WriteFileWhole(Path("file"), std::string(kBytes, 'b'));
  for (int i = 0; i < kKills; ++i) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      WriteForever(Path("file"), pipe[1], kBytes);
    }
    ::close(pipe[1]);
    // Somewhere in the write that follows: reading one more mark would mean that it is over.
    std::array<char, 4> marks{};
    const std::size_t count = 1 + random() % marks.size();
    for (std::size_t read = 0; read < count;) {
      read += static_cast<std::size_t>(::read(pipe[0], marks.data(), count - read));
    }
    SpinFor(random() % 30'000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    ::close(pipe[0]);

    const std::string text = ReadAll(Path("file"));
    ASSERT_EQ(text.size(), kBytes);
    ASSERT_EQ(text.find_first_not_of(text.front()), std::string::npos) << "a torn file";
  }
}

}  // namespace

}  // namespace schedbench::platform::file_test
