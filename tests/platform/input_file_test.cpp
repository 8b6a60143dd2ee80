#include "platform/files/input_file.hpp"

#include "platform/files/gzip.hpp"

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
  std::thread writer([&] { std::ofstream(Path("pipe")) << text; });
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

// "a;b 12\n", compressed by gzip -n.
constexpr std::string_view kGzip(
    "\x1f\x8b\x08\x00\x00\x00\x00\x00\x02\x03\x4b\xb4\x4e\x52\x30\x34\xe2\x02\x00\x9a\xd6\xdc\xb5"
    "\x07\x00\x00\x00",
    27);

TEST_F(ReadInputTest, InflatesGzipOfOneAndOfSeveralMembers) {
  std::ofstream(Path("a.gz")) << kGzip;
  EXPECT_EQ(ReadInput(Path("a.gz"), kLimits), "a;b 12\n");
  std::ofstream(Path("b.gz")) << kGzip << kGzip << std::string(10, '\0');
  EXPECT_EQ(ReadInput(Path("b.gz"), kLimits), "a;b 12\na;b 12\n");
}

TEST_F(ReadInputTest, RefusesDamagedGzip) {
  for (std::size_t size = 2; size < kGzip.size(); ++size) {
    std::ofstream(Path("cut.gz")) << kGzip.substr(0, size);
    ExpectRefused(Path("cut.gz"), "is a damaged gzip file: it ends early");
  }
  std::ofstream(Path("bad.gz")) << kGzip << "more";
  ExpectRefused(Path("bad.gz"), "is a damaged gzip file: other bytes follow its end");
  std::string wrong(kGzip);
  wrong[20] = static_cast<char>(wrong[20] ^ 1);
  std::ofstream(Path("sum.gz")) << wrong;
  ExpectRefused(Path("sum.gz"), "is a damaged gzip file: incorrect data check");
}

TEST_F(ReadInputTest, AppliesTheLimitToWhatGzipInflatesTo) {
  EXPECT_EQ(Inflated(kGzip, 7), "a;b 12\n");
  try {
    Inflated(kGzip, 6);
    ADD_FAILURE() << "more than allowed";
  } catch (const ReadError& error) {
    EXPECT_STREQ(error.what(), "is larger than 0 MiB when it is inflated (gzip)");
  }
}

}  // namespace

}  // namespace schedbench::platform::input_file_test
