#include "platform/net/socket_batch.hpp"

#include "platform/net/socket.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include <poll.h>

namespace schedbench::platform {

namespace {

// Two connected sockets.
class Pair {
 public:
  Pair() {
    EXPECT_EQ(OpenSocketPair(fds_), 0);
  }
  ~Pair() {
    for (const int fd : fds_) {
      CloseDescriptor(fd);
    }
  }

  Pair(const Pair&) = delete;
  Pair& operator=(const Pair&) = delete;

  int Here() const {
    return fds_[0];
  }
  int There() const {
    return fds_[1];
  }

 private:
  std::array<int, 2> fds_{};
};

SocketCall WriteOf(int fd, std::string& text) {
  return {.kind = SocketCall::Kind::kWrite, .fd = fd, .bytes = text.data(), .size = text.size()};
}

SocketCall ReadInto(int fd, std::string& text) {
  return {.kind = SocketCall::Kind::kRead, .fd = fd, .bytes = text.data(), .size = text.size()};
}

// Makes all calls as one batch.
std::size_t Make(SocketBatch& batch, std::vector<SocketCall>& calls) {
  std::vector<SocketCall*> pointers;
  for (SocketCall& call : calls) {
    pointers.push_back(&call);
  }
  return batch.Make(pointers);
}

TEST(SocketBatch, MakesCallsInTheirOrderAndGivesEachItsResult) {
  SocketBatch batch;
  const Pair pair;
  std::string first = "ab";
  std::string second = "cde";
  std::string all(9, '-');
  std::string none(1, '-');
  std::vector<SocketCall> calls{WriteOf(pair.Here(), first), WriteOf(pair.Here(), second),
                                ReadInto(pair.There(), all), ReadInto(pair.There(), none)};
  const std::size_t made = Make(batch, calls);
  EXPECT_TRUE(made == 4 || batch.IsRefused());
  EXPECT_EQ(calls[0].result, 2);
  EXPECT_EQ(calls[1].result, 3);
  EXPECT_EQ(calls[2].result, 5);
  EXPECT_EQ(calls[3].result, -EAGAIN) << "a call that would have to wait ends at once";
  EXPECT_EQ(all.substr(0, 5), "abcde");
}

TEST(SocketBatch, GivesAnErrorToTheCallThatFailsAndMakesTheOthers) {
  SocketBatch batch;
  const Pair open;
  const Pair peer_is_gone;
  ShutdownSocket(peer_is_gone.There(), ShutdownSide::kBoth);
  std::string text = "ab";
  std::string end(1, '-');
  std::vector<SocketCall> calls{WriteOf(-1, text), WriteOf(peer_is_gone.Here(), text),
                                ReadInto(peer_is_gone.Here(), end), WriteOf(open.Here(), text)};
  Make(batch, calls);
  EXPECT_EQ(calls[0].result, -EBADF);
  EXPECT_EQ(calls[1].result, -EPIPE) << "and no signal";
  EXPECT_EQ(calls[2].result, 0) << "the end";
  EXPECT_EQ(calls[3].result, 2);
}

TEST(SocketBatch, MakesAFullBatchAgainAndAgain) {
  SocketBatch batch;
  std::array<Pair, SocketBatch::kMost> pairs;
  for (int round = 0; round < 100; ++round) {
    std::string text = "x";
    std::vector<SocketCall> calls;
    for (const Pair& pair : pairs) {
      calls.push_back(WriteOf(pair.Here(), text));
    }
    Make(batch, calls);
    EXPECT_TRUE(
        std::ranges::all_of(calls, [](const SocketCall& call) { return call.result == 1; }));
    std::string got(1, '-');
    for (std::size_t i = 0; i < calls.size(); ++i) {
      calls[i] = ReadInto(pairs[i].There(), got);
    }
    Make(batch, calls);
    EXPECT_TRUE(
        std::ranges::all_of(calls, [](const SocketCall& call) { return call.result == 1; }));
  }
}

// Two ends of a TCP connection.
class TcpPair {
 public:
  TcpPair() {
    const SocketAddress any = SocketAddress::Loopback(0);
    const int listener = OpenSocket(any, SocketType::kStream);
    EXPECT_EQ(BindSocket(listener, any), 0);
    EXPECT_EQ(ListenSocket(listener, 1), 0);
    here_ = OpenSocket(any, SocketType::kStream);
    EXPECT_EQ(StartConnect(here_, LocalAddress(listener)), -EINPROGRESS);
    SocketAddress peer;
    while ((there_ = AcceptSocket(listener, peer)) == -EAGAIN) {
    }
    CloseDescriptor(listener);
  }
  ~TcpPair() {
    CloseDescriptor(here_);
    CloseDescriptor(there_);
  }

  TcpPair(const TcpPair&) = delete;
  TcpPair& operator=(const TcpPair&) = delete;

  int Here() const {
    return here_;
  }
  int There() const {
    return there_;
  }

 private:
  int here_ = -1;
  int there_ = -1;
};

TEST(SocketBatch, ReportsWhichReadsOfTcpHaveLeftNothing) {
  SocketBatch batch;
  const TcpPair pair;
  std::string text = "abcdef";
  std::vector<SocketCall> writes{WriteOf(pair.Here(), text), WriteOf(pair.There(), text)};
  Make(batch, writes);
  EXPECT_FALSE(writes[0].leaves_nothing || writes[1].leaves_nothing) << "a write is not a read";
  std::string part(3, '-');
  std::string more(10, '-');
  std::vector<SocketCall> reads{ReadInto(pair.There(), part), ReadInto(pair.Here(), more)};
  for (const SocketCall& read : reads) {
    pollfd arrival{.fd = read.fd, .events = POLLIN, .revents = 0};
    EXPECT_EQ(::poll(&arrival, 1, -1), 1);
  }
  Make(batch, reads);
  EXPECT_EQ(reads[0].result, 3);
  EXPECT_EQ(reads[1].result, 6);
  EXPECT_FALSE(reads[0].leaves_nothing) << "three bytes are left";
  EXPECT_TRUE(reads[1].leaves_nothing) << "it is short";
}

TEST(SocketBatch, MakesASingleCallWithoutTheRing) {
  SocketBatch batch;
  const Pair pair;
  std::string text = "ab";
  std::vector<SocketCall> calls{WriteOf(pair.Here(), text)};
  EXPECT_EQ(Make(batch, calls), 0U);
  EXPECT_EQ(calls[0].result, 2);
}

}  // namespace

}  // namespace schedbench::platform
