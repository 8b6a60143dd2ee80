#include "platform/net/socket_batch.hpp"

#include "base/assert.hpp"
#include "platform/net/socket.hpp"

#include <liburing.h>

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include <sys/socket.h>

namespace schedbench::platform {

namespace {

// The most that read(2) moves; the ring counts in 32 bits.
constexpr std::size_t kMostBytes = 0x7ffff000;

// Takes back the entries that the kernel has not read, and returns their number. Without
// IORING_SETUP_SQPOLL the kernel reads the queue only in io_uring_enter().
std::size_t TakeBackUnread(io_uring& ring) noexcept {
  const unsigned unread = io_uring_sq_ready(&ring);
  ring.sq.sqe_tail -= unread;
  ring.sq.sqe_head = ring.sq.sqe_tail;
  *ring.sq.ktail = ring.sq.sqe_tail;
  return unread;
}

// Returns whether a call that has its result is a read after which a TCP socket has no more bytes:
// it was short, or the kernel says so.
bool LeavesNothing(const SocketCall& call, bool is_last) noexcept {
  return call.kind == SocketCall::Kind::kRead && call.result > 0 &&
         (is_last || static_cast<std::size_t>(call.result) < std::min(call.size, kMostBytes));
}

}  // namespace

void SocketCall::Make() noexcept {
  if (kind == Kind::kRead) {
    result = ReadSocket(fd, {static_cast<std::byte*>(bytes), size});
    leaves_nothing = LeavesNothing(*this, false);
  } else {
    result = WriteSocket(fd, {static_cast<const std::byte*>(bytes), size});
  }
}

SocketBatch::SocketBatch() noexcept = default;

SocketBatch::~SocketBatch() {
  if (ring_ != nullptr) {
    io_uring_queue_exit(ring_.get());
  }
}

std::size_t SocketBatch::Make(std::span<SocketCall* const> calls) noexcept {
  SB_ASSERT(calls.size() <= kMost, "the ring has no room");
  const std::size_t made = calls.size() > 1 && TryOpen() ? MakeInRing(calls) : 0;
  for (SocketCall* const call : calls.subspan(made)) {
    call->Make();
  }
  return made;
}

bool SocketBatch::TryOpen() noexcept {
  if (ring_ != nullptr || is_refused_) {
    return !is_refused_;
  }
  std::unique_ptr<io_uring> ring(new (std::nothrow) io_uring{});
  is_refused_ = ring == nullptr || io_uring_queue_init(kMost, ring.get(), 0) != 0;
  if (!is_refused_) {
    ring_ = std::move(ring);
    io_uring_probe* const probe = io_uring_get_probe_ring(ring_.get());
    // IORING_CQE_F_SOCK_NONEMPTY came with this operation, and has no flag of its own.
    knows_rest_ = probe != nullptr && io_uring_opcode_supported(probe, IORING_OP_SOCKET) != 0;
    io_uring_free_probe(probe);
  }
  return !is_refused_;
}

// Returns how many of the calls are made: the first ones.
std::size_t SocketBatch::MakeInRing(std::span<SocketCall* const> calls) noexcept {
  for (SocketCall* const call : calls) {
    io_uring_sqe* const entry = io_uring_get_sqe(ring_.get());
    SB_ASSERT(entry != nullptr, "an earlier batch has left entries");
    // MSG_DONTWAIT: a call that would have to wait ends at once, with -EAGAIN.
    const std::size_t size = std::min(call->size, kMostBytes);
    if (call->kind == SocketCall::Kind::kRead) {
      io_uring_prep_recv(entry, call->fd, call->bytes, size, MSG_DONTWAIT);
    } else {
      io_uring_prep_send(entry, call->fd, call->bytes, size, MSG_DONTWAIT | MSG_NOSIGNAL);
    }
    io_uring_sqe_set_data(entry, call);
  }
  int submitted = 0;
  do {
    submitted = io_uring_submit_and_wait(ring_.get(), static_cast<unsigned>(calls.size()));
  } while (submitted == -EINTR);
  // Other errors than these are those of a filter of system calls, which will not change.
  is_refused_ =
      submitted < 0 && submitted != -EAGAIN && submitted != -EBUSY && submitted != -ENOMEM;
  const std::size_t made = calls.size() - TakeBackUnread(*ring_);
  for (std::size_t left = made; left > 0;) {
    io_uring_cqe* completion = nullptr;
    if (io_uring_wait_cqe(ring_.get(), &completion) != 0) {
      continue;  // a signal
    }
    auto* const call = static_cast<SocketCall*>(io_uring_cqe_get_data(completion));
    call->result = completion->res;
    const bool is_last = knows_rest_ && (completion->flags & IORING_CQE_F_SOCK_NONEMPTY) == 0;
    call->leaves_nothing = LeavesNothing(*call, is_last);
    io_uring_cqe_seen(ring_.get(), completion);
    --left;
    if (call->result == -EINTR) {
      call->Make();
    }
  }
  return made;
}

}  // namespace schedbench::platform
