#include "platform/net/resolve.hpp"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>

namespace schedbench::platform::resolve_test {

namespace {

std::string ComplaintOf(const std::string& text) {
  try {
    return Resolve(text).Text();
  } catch (const std::runtime_error& error) {
    return error.what();
  }
}

TEST(Resolve, ReadsAddressesAndFindsNames) {
  EXPECT_EQ(ComplaintOf("127.0.0.1:80"), "127.0.0.1:80");
  EXPECT_EQ(ComplaintOf("[::1]:80"), "[::1]:80");
  EXPECT_EQ(ComplaintOf("localhost:7000"), "127.0.0.1:7000");
}

TEST(Resolve, NamesWhatIsNotAnAddressAndWhichNameIsUnknown) {
  for (const char* const text : {"", ":", "box", "box:", ":80", "box:http", "box:1:"}) {
    EXPECT_EQ(ComplaintOf(text), "'" + std::string(text) + "' is not an address; write HOST:PORT");
  }
  EXPECT_EQ(ComplaintOf("no.such.host.invalid:80")
                .find("cannot find the address of 'no.such.host.invalid': "),
            0U);
}

}  // namespace

}  // namespace schedbench::platform::resolve_test
