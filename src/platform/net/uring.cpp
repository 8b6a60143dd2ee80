#include "platform/net/uring.hpp"

#include <liburing.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <new>
#include <utility>

namespace schedbench::platform {

namespace {

constexpr unsigned kSubmissions = 64;  // each call submits what it prepares
constexpr unsigned kCompletions = 4096;

bool HasOperations(io_uring& ring) noexcept {
  io_uring_probe* const probe = io_uring_get_probe_ring(&ring);
  if (probe == nullptr) {
    return false;
  }
  constexpr std::array kNeeded{IORING_OP_READ,         IORING_OP_WRITE, IORING_OP_FSYNC,
                               IORING_OP_ASYNC_CANCEL, IORING_OP_RECV,  IORING_OP_SEND};
  const bool has = std::ranges::all_of(
      kNeeded, [probe](int operation) { return io_uring_opcode_supported(probe, operation) != 0; });
  io_uring_free_probe(probe);
  return has;
}

}  // namespace

Uring::Uring() noexcept = default;

Uring::~Uring() {
  if (ring_ != nullptr) {
    io_uring_queue_exit(ring_.get());
  }
}

int Uring::Open() noexcept {
  if (ring_ != nullptr) {
    return 0;
  }
  std::unique_ptr<io_uring> ring(new (std::nothrow) io_uring{});
  if (ring == nullptr) {
    return -ENOMEM;
  }
  io_uring_params params{};
  params.flags = IORING_SETUP_CQSIZE | IORING_SETUP_CLAMP;
  params.cq_entries = kCompletions;
  const int error = io_uring_queue_init_params(kSubmissions, ring.get(), &params);
  if (error != 0) {
    return error;
  }
  // RSRC_TAGS: Linux 5.13, the oldest kernel that this was used with.
  constexpr unsigned kFeatures = IORING_FEAT_NODROP | IORING_FEAT_RSRC_TAGS;
  if ((params.features & kFeatures) != kFeatures || !HasOperations(*ring)) {
    io_uring_queue_exit(ring.get());
    return -ENOSYS;
  }
  ring_ = std::move(ring);
  return 0;
}

int Uring::Fd() const noexcept {
  return ring_->ring_fd;
}

template <typename Prepare>
int Uring::Submit(std::uint64_t key, Prepare prepare) noexcept {
  const MutexLock lock(submitting_);
  io_uring_sqe* const entry = io_uring_get_sqe(ring_.get());
  if (entry == nullptr) {
    return -EAGAIN;  // the kernel has refused kSubmissions calls in a row
  }
  prepare(*entry);
  entry->user_data = key;
  int count = 0;
  do {
    count = io_uring_submit(ring_.get());
  } while (count == -EINTR);
  // The kernel reads entries in order, and this is the last one: it is read if all are.
  if (count >= 0 && io_uring_sq_ready(ring_.get()) == 0) {
    return 0;
  }
  // The kernel has not read the entry, and a later call submits it. A cancellation may be late but
  // must come.
  if (key != kOwnKey) {
    io_uring_prep_nop(entry);
    entry->user_data = kOwnKey;
  }
  return count < 0 ? count : -EAGAIN;
}

void Uring::Cancel(std::uint64_t key) noexcept {
  // If the kernel refuses the call, a later one submits the entry.
  static_cast<void>(
      Submit(kOwnKey, [key](io_uring_sqe& entry) { io_uring_prep_cancel64(&entry, key, 0); }));
}

int Uring::Start(const FileRequest& request, std::uint64_t key) noexcept {
  return Submit(key, [&request](io_uring_sqe& entry) {
    // The limit of read(2); the ring counts in 32 bits.
    constexpr std::size_t kMostBytes = 0x7ffff000;
    const auto size = static_cast<unsigned>(std::min(request.size, kMostBytes));
    switch (request.kind) {
      case FileRequest::Kind::kRead:
        io_uring_prep_read(&entry, request.fd, request.bytes, size, request.position);
        return;
      case FileRequest::Kind::kWrite:
        io_uring_prep_write(&entry, request.fd, request.bytes, size, request.position);
        break;
      case FileRequest::Kind::kSync:
        io_uring_prep_fsync(&entry, request.fd, IORING_FSYNC_DATASYNC);
        break;
    }
    // A kernel thread runs it, and not this call under the lock.
    entry.flags |= IOSQE_ASYNC;
  });
}

std::size_t Uring::Take(std::span<ReadyEvent> events) noexcept {
  constexpr std::size_t kBatch = 32;
  std::array<io_uring_cqe*, kBatch> completions;
  std::size_t written = 0;
  while (written < events.size()) {
    const auto most = static_cast<unsigned>(std::min(kBatch, events.size() - written));
    const unsigned count = io_uring_peek_batch_cqe(ring_.get(), completions.data(), most);
    if (count == 0) {
      break;
    }
    for (const io_uring_cqe* const completion : std::span(completions).first(count)) {
      if (completion->user_data != kOwnKey) {
        events[written++] = {.key = completion->user_data, .result = completion->res};
      }
    }
    io_uring_cq_advance(ring_.get(), count);
  }
  return written;
}

}  // namespace schedbench::platform
