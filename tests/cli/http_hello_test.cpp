// The HTTP server of http_hello, asked by a program that is not its client.
#include "base/attributes.hpp"
#include "platform/time/clock.hpp"
#include "tests/cli/process.hpp"

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include <sys/socket.h>
#include <unistd.h>

namespace schedbench::tests::http_hello_test {

namespace {

sockaddr_in Loopback(std::uint16_t port) {
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  address.sin_port = htons(port);
  return address;
}

// A port that was free a moment ago.
std::uint16_t FreePort() {
  const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address = Loopback(0);
  socklen_t size = sizeof(address);
  EXPECT_EQ(::bind(fd, reinterpret_cast<sockaddr*>(&address), size), 0);
  ::getsockname(fd, reinterpret_cast<sockaddr*>(&address), &size);
  ::close(fd);
  return ntohs(address.sin_port);
}

// Connects as soon as the server listens.
int Connected(std::uint16_t port) {
  for (int i = 0; i < 2000; ++i) {
    const int fd = ::socket(AF_INET, SOCK_STREAM, 0);
    const sockaddr_in address = Loopback(port);
    if (::connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) == 0) {
      return fd;
    }
    ::close(fd);
    platform::SleepForNs(5'000'000);
  }
  ADD_FAILURE() << "nothing listens";
  return -1;
}

// Sends the bytes and returns all that comes until the server closes. "reset" at the end: it has
// reset the connection.
std::string Answer(std::uint16_t port, const std::string& request) {
  const int fd = Connected(port);
  EXPECT_EQ(::send(fd, request.data(), request.size(), MSG_NOSIGNAL), std::ssize(request));
  ::shutdown(fd, SHUT_WR);
  std::string answer;
  std::array<char, 4096> bytes{};
  ssize_t count = 0;
  while ((count = ::recv(fd, bytes.data(), bytes.size(), 0)) > 0) {
    answer.append(bytes.data(), static_cast<std::size_t>(count));
  }
  ::close(fd);
  return count < 0 ? answer + "reset" : answer;
}

std::vector<std::string> Serving(std::uint16_t port, const std::string& seconds) {
  return SchedbenchCommand(
      {"run", "-s", "fast", "-n", "1", "--warmup", "0", "-q", "-w",
       "http_hello:connections=0,requests=1,serve_s=" + seconds + ",port=" + std::to_string(port)});
}

TEST(HttpHello, AnswersARequestThatItDoesNotAcceptAndReadsNothingMoreOfTheConnection) {
  const std::uint16_t port = FreePort();
  Process server(Serving(port, "3"));
  const std::string hidden = "GET / HTTP/1.1\r\n\r\n";
  for (const char* const field :
       {"Content-Length: -5", "Content-Length: +5", "Content-Length: 99999999999999999999",
        "Content-Length: 0\r\nContent-Length: 0", "Content-Length : 5",
        "Transfer-Encoding: chunked"}) {
    const std::string answer =
        Answer(port, "GET / HTTP/1.1\r\n" + std::string(field) + "\r\n\r\n" + hidden);
    EXPECT_EQ(answer, "HTTP/1.1 400 Bad Request\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        << field;
  }
  const std::string large = Answer(port, "GET / HTTP/1.1\r\nX: " + std::string(100'000, 'a'));
  EXPECT_EQ(large,
            "HTTP/1.1 431 Request Header Fields Too Large\r\nConnection: close\r\n"
            "Content-Length: 0\r\n\r\n");
  EXPECT_EQ(server.Finish(), 0) << server.Error();
}

// UBSan needs a descriptor to check a pointer to a class, and would find none here.
#if !defined(SB_ASAN)

TEST(HttpHello, WaitsForADescriptorIfThereAreMoreConnectionsThanItMayHave) {
  const std::uint16_t port = FreePort();
  std::vector<std::string> command{"sh", "-c", "ulimit -n 40; exec \"$@\"", "sh"};
  const std::vector<std::string> serving = Serving(port, "2");
  command.insert(command.end(), serving.begin(), serving.end());
  Process server(command);
  std::vector<int> open;
  for (int i = 0; i < 60; ++i) {
    open.push_back(Connected(port));
  }
  for (const int fd : open) {
    ::close(fd);
  }
  EXPECT_NE(Answer(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n").find("200 OK"),
            std::string::npos);
  EXPECT_EQ(server.Finish(), 0) << server.Error();
}

#endif

}  // namespace

}  // namespace schedbench::tests::http_hello_test
