#include "platform/files/input_file.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <thread>

#include <sys/stat.h>

namespace schedbench::platform::input_file_test {

namespace {

constexpr InputLimits kLimits{.largest = std::size_t{1} << 20U,
                              .silence = std::chrono::milliseconds(20)};

class ReadInputTest : public testing::Test {
 protected:
  ReadInputTest()
      : folder_((std::filesystem::temp_directory_path() / "schedbench-input-XXXXXX").string()) {
    if (::mkdtemp(folder_.data()) == nullptr || ::mkfifo(Path("pipe").c_str(), 0600) != 0) {
      throw std::runtime_error("no folder for the test");
    }
  }

  ~ReadInputTest() override {
    std::filesystem::remove_all(folder_);
  }

  std::string Path(const std::string& name) const {
    return folder_ + "/" + name;
  }

  void ExpectRefused(const std::string& path, const std::string& reason) const {
    try {
      ReadInput(path, kLimits);
      ADD_FAILURE() << path << " was read";
    } catch (const ReadError& error) {
      EXPECT_EQ(error.what(), reason);
    }
  }

  std::string folder_;
};

TEST_F(ReadInputTest, ReturnsAllBytesOfAFile) {
  const std::string text(kLimits.largest, 'x');
  std::ofstream(Path("file")) << text;
  EXPECT_EQ(ReadInput(Path("file"), kLimits), text);
  std::ofstream(Path("empty"));
  EXPECT_EQ(ReadInput(Path("empty"), kLimits), "");
}

TEST_F(ReadInputTest, ReturnsAllThatIsWrittenIntoAPipe) {
  const std::string text(300'000, 'x');  // more than a pipe holds
  std::thread writer([&] {
    std::ofstream(Path("pipe")) << text;
  });
  EXPECT_EQ(ReadInput(Path("pipe"), {.largest = kLimits.largest}), text);
  writer.join();
}

TEST_F(ReadInputTest, RefusesWhatIsTooLargeWhateverItsSizeClaims) {
  ExpectRefused("/dev/zero", "is larger than 1 MiB");
}

TEST_F(ReadInputTest, RefusesAPipeThatNoProgramWritesInto) {
  ExpectRefused(Path("pipe"), "cannot be read: nothing was written into this pipe for 20 ms");
}

TEST_F(ReadInputTest, RefusesFoldersAndWhatDoesNotExist) {
  ExpectRefused(folder_, "is a directory");
  ExpectRefused(Path("none"), "cannot be read: No such file or directory");
}

}  // namespace

}  // namespace schedbench::platform::input_file_test
