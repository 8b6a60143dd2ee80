#include "platform/net/socket_address.hpp"

#include <gtest/gtest.h>

namespace schedbench::platform::socket_address_test {

namespace {

TEST(SocketAddress, IsReadFromItsOwnText) {
  for (const char* const text :
       {"127.0.0.1:80", "0.0.0.0:0", "255.255.255.255:65535", "[::1]:80", "[fe80::1:2]:1",
        "unix:/tmp/x", "unix:relative", "unix:@abstract"}) {
    const auto address = SocketAddress::Parse(text);
    ASSERT_TRUE(address.has_value()) << text;
    EXPECT_EQ(address->Text(), text);
    EXPECT_EQ(*address, SocketAddress::FromBytes(address->Bytes(), address->Size()));
  }
}

TEST(SocketAddress, RefusesTextsThatAreNone) {
  for (const std::string& text :
       {std::string(), std::string("80"), std::string("127.0.0.1"), std::string("127.0.0.1:"),
        std::string("127.0.0.1:65536"), std::string("127.0.0.1:-1"), std::string("127.0.0.1:80x"),
        std::string("localhost:80"), std::string("::1:80"), std::string("[::1]"),
        std::string("[::g]:1"), std::string("unix:"), "unix:/" + std::string(107, 'x')}) {
    EXPECT_FALSE(SocketAddress::Parse(text).has_value()) << text;
  }
}

TEST(SocketAddress, KnowsItsFamilyAndPort) {
  EXPECT_EQ(SocketAddress::Loopback(7), *SocketAddress::Parse("127.0.0.1:7"));
  EXPECT_EQ(SocketAddress::Loopback(7).Port(), 7);
  EXPECT_EQ(SocketAddress::Parse("[::1]:9")->Port(), 9);
  EXPECT_EQ(SocketAddress::Parse("[::1]:9")->GetFamily(), SocketAddress::Family::kIpv6);
  EXPECT_EQ(SocketAddress::Parse("unix:/x")->GetFamily(), SocketAddress::Family::kUnix);
  EXPECT_EQ(SocketAddress::Parse("unix:/x")->Port(), 0);
  EXPECT_EQ(SocketAddress().GetFamily(), SocketAddress::Family::kNone);
  EXPECT_EQ(SocketAddress().Text(), "");
}

}  // namespace

}  // namespace schedbench::platform::socket_address_test
