#include "platform/files/stdin_lines.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

#include <unistd.h>

namespace schedbench::platform::stdin_lines_test {

namespace {

// A pipe in place of stdin.
class StdinLinesTest : public testing::Test {
 protected:
  StdinLinesTest()
      : before_(::dup(STDIN_FILENO)) {
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0 || ::dup2(ends[0], STDIN_FILENO) < 0) {
      throw std::runtime_error("no pipe for the test");
    }
    ::close(ends[0]);
    writer_ = ends[1];
  }

  ~StdinLinesTest() override {
    End();
    if (before_ >= 0) {
      ::dup2(before_, STDIN_FILENO);
      ::close(before_);
    } else {
      ::close(STDIN_FILENO);
    }
  }

  void Write(std::string_view text) const {
    EXPECT_EQ(::write(writer_, text.data(), text.size()), static_cast<ssize_t>(text.size()));
  }

  void End() {
    if (writer_ >= 0) {
      ::close(writer_);
      writer_ = -1;
    }
  }

  StdinLines lines_;

 private:
  const int before_;
  int writer_ = -1;
};

TEST_F(StdinLinesTest, ReturnsLinesAndTheirEnd) {
  Write("one\n\ntwo\nthree");
  EXPECT_EQ(lines_.Next(), "one");
  EXPECT_EQ(lines_.Next(), "");
  EXPECT_EQ(lines_.Next(), "two");
  End();
  EXPECT_EQ(lines_.Next(), "three") << "without a line break";
  EXPECT_EQ(lines_.Next(), std::nullopt);
  EXPECT_EQ(lines_.Next(), std::nullopt);
}

TEST_F(StdinLinesTest, IsReadyForALineThatWasReadWithTheOneBefore) {
  EXPECT_FALSE(lines_.IsReady());
  Write("one\ntwo\n");
  EXPECT_TRUE(lines_.IsReady());
  EXPECT_EQ(lines_.Next(), "one");
  EXPECT_TRUE(lines_.IsReady());
  EXPECT_EQ(lines_.Next(), "two");
  EXPECT_FALSE(lines_.IsReady());
  End();
  EXPECT_TRUE(lines_.IsReady()) << "nothing will come any more";
}

TEST_F(StdinLinesTest, ReturnsALineThatIsLongerThanThePipe) {
  const std::string line(300'000, 'x');
  std::thread writer([&] {
    std::string_view left = line;
    while (!left.empty()) {
      const std::string_view piece = left.substr(0, 10'000);
      Write(piece);
      left.remove_prefix(piece.size());
    }
    Write("\n");
  });
  EXPECT_EQ(lines_.Next(), line);
  writer.join();
}

}  // namespace

}  // namespace schedbench::platform::stdin_lines_test
