#include "platform/files/raw_writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <limits>
#include <string>

#include <unistd.h>

namespace schedbench::platform::raw_writer_test {

namespace {

TEST(RawWriter, WritesTextDecimalsAndHexadecimals) {
  std::array<char, 100> memory;
  RawWriter out(memory);
  out << "a " << std::uint64_t{0} << " " << std::numeric_limits<std::uint64_t>::max() << " "
      << Hex{0} << " " << Hex{0xdeadbeef};
  EXPECT_EQ(out.Text(), "a 0 18446744073709551615 0x0 0xdeadbeef");
}

TEST(RawWriter, LeavesOutWhatMemoryHasNoRoomFor) {
  std::array<char, 4> memory;
  RawWriter out(memory);
  out << "abcdef"
      << "gh";
  EXPECT_EQ(out.Text(), "abcd");
}

TEST(RawWriter, WritesToAFileAllThatIsLargerThanItsBuffer) {
  std::array<int, 2> ends{};
  ASSERT_EQ(::pipe(ends.data()), 0);
  const std::string text(1000, 'x');
  RawWriter(ends[1]) << text << "end";
  ::close(ends[1]);
  std::string read(2000, '\0');
  std::size_t length = 0;
  for (ssize_t count = 1; count > 0;) {
    count = ::read(ends[0], read.data() + length, read.size() - length);
    length += static_cast<std::size_t>(count);
  }
  ::close(ends[0]);
  EXPECT_EQ(read.substr(0, length), text + "end");
}

}  // namespace

}  // namespace schedbench::platform::raw_writer_test
