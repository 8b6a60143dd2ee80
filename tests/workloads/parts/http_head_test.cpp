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

TEST(HttpHead, IsNotFramedByALengthThatIsNotOneNumberOrByAnEncoding) {
  const auto is_framed = [](const std::string& fields) {
    return ParseHttpHead("GET / HTTP/1.1\r\n" + fields + "\r\n\r\n")->is_framed;
  };
  for (const char* const fields :
       {"Content-Length: x", "Content-Length:", "Content-Length: -5", "Content-Length: +5",
        "Content-Length: 5x", "Content-Length: 5, 5", "Content-Length: 99999999999999999999",
        "Content-Length: 5\r\nContent-Length: 5", "Content-Length : 5", " Content-Length: 5",
        "Host: a\r\n folded", "Transfer-Encoding: chunked", "no field", ": no name"}) {
    EXPECT_FALSE(is_framed(fields)) << fields;
  }
  EXPECT_TRUE(is_framed("Host: a b:7"));
  EXPECT_TRUE(is_framed("Content-Length: 0005"));
}

TEST(HttpHead, ClosesTheConnectionIfAskedToAndByDefaultInVersion10) {
  EXPECT_FALSE(ParseHttpHead("GET / HTTP/1.1\r\nConnection: Close\r\n\r\n")->keeps_alive);
  EXPECT_FALSE(ParseHttpHead("GET / HTTP/1.0\r\n\r\n")->keeps_alive);
  EXPECT_TRUE(ParseHttpHead("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n")->keeps_alive);
}

}  // namespace

}  // namespace schedbench::workloads::http_head_test
