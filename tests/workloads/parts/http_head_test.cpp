#include "workloads/parts/http_head.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::workloads::http_head_test {

namespace {

TEST(HttpHead, EndsWithAnEmptyLine) {
  EXPECT_FALSE(ParseHttpHead(""));
  EXPECT_FALSE(ParseHttpHead("GET / HTTP/1.1\r\nHost: a\r\n"));
  const auto head = ParseHttpHead("GET / HTTP/1.1\r\nHost: a\r\n\r\nGET");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->first_line, "GET / HTTP/1.1");
  EXPECT_EQ(head->bytes, 27U);
  EXPECT_TRUE(head->keeps_alive);
}

TEST(HttpHead, WithoutFieldsIsTheFirstLine) {
  const auto head = ParseHttpHead("GET / HTTP/1.1\r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->bytes, 18U);
}

TEST(HttpHead, SaysHowLongTheBodyIsWhateverTheCaseOfTheField) {
  const auto head = ParseHttpHead("HTTP/1.1 200 OK\r\ncontent-LENGTH:  14 \r\n\r\n");
  ASSERT_TRUE(head);
  EXPECT_EQ(head->content_length, 14U);
}

TEST(HttpHead, TakesALengthThatIsNoNumberForNone) {
  EXPECT_EQ(ParseHttpHead("GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n")->content_length, 0U);
  EXPECT_EQ(ParseHttpHead("GET / HTTP/1.1\r\nContent-Length:\r\n\r\n")->content_length, 0U);
}

TEST(HttpHead, ClosesTheConnectionIfAskedToAndByDefaultInVersion10) {
  EXPECT_FALSE(ParseHttpHead("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n")->keeps_alive);
  EXPECT_FALSE(ParseHttpHead("GET / HTTP/1.0\r\n\r\n")->keeps_alive);
  EXPECT_TRUE(ParseHttpHead("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->keeps_alive);
}

}  // namespace

}  // namespace schedbench::workloads::http_head_test
