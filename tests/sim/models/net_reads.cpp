// Models of reads that wait without a system call, because the last one has left nothing: RunCall()
// and WaitTurn. The thread that calls NotifyReady() stands for the poller.
#include "fibers/net/ready_slot.hpp"
#include "fibers/net/run_call.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>

namespace schedbench::sim::net_reads_model {

namespace {

using fibers::Deadline;
using fibers::Go;
using fibers::ReadySlot;
using fibers::WaitGroup;
using fibers::WaitTurn;
using Outcome = ReadySlot::Outcome;

constexpr std::int64_t kAsked = 2;  // bytes that each read asks for

// One direction of a connection. Bytes and the end arrive; a read takes at most kAsked bytes.
class Connection {
 public:
  // Bytes arrive, and the poller reports them by one event.
  void Arrive(std::int64_t bytes) {
    ArriveUnreported(bytes);
    Notify();
  }

  // Bytes arrive whose event the poller has not found yet.
  void ArriveUnreported(std::int64_t bytes) {
    // relaxed: an event orders the read that follows it.
    bytes_.FetchAdd(bytes, memory_order_relaxed);
  }

  // The end arrives, and the poller reports it; together with a byte if `with_byte`.
  void ArriveEnd(bool with_byte) {
    // relaxed: as in Arrive().
    bytes_.FetchAdd((with_byte ? 1 : 0) + kEnd, memory_order_relaxed);
    // relaxed: as in the poller, before the slot.
    has_ended_.Store(true, memory_order_relaxed);
    Notify();
  }

  void Close() {
    Resume(slot_.Close());
  }

  // Returns the bytes; 0 at the end, or a negative errno.
  std::int64_t Read(Deadline deadline = Deadline::Never()) {
    return fibers::RunCall(
        turn_,
        [this] {
          const std::int64_t read = TryRead();
          // relaxed: as in Descriptor::Run().
          const bool has_ended = has_ended_.Load(memory_order_relaxed);
          return fibers::CallResult(read, read > 0 && read < kAsked && !has_ended);
        },
        [this, deadline] {
          const Outcome outcome = slot_.Wait(deadline, {});
          return outcome == Outcome::kReady    ? 0
                 : outcome == Outcome::kClosed ? -ECANCELED
                                               : -ETIMEDOUT;
        });
  }

  // One byte is there, and a system call reads it. Then more bytes arrive.
  std::int64_t ReadAndThenArrive(std::int64_t bytes) {
    return fibers::RunCall(
        turn_,
        [this, bytes] {
          Arrive(bytes);
          return fibers::CallResult(1, true);
        },
        [] { return -ECANCELED; });
  }

 private:
  static constexpr std::int64_t kEnd = 100;

  static void Resume(fibers::FiberHandle fiber) {
    if (fiber.IsValid()) {
      fiber.Schedule();
    }
  }

  void Notify() {
    Resume(slot_.NotifyReady());
  }

  // The system call.
  std::int64_t TryRead() {
    // relaxed: as in Arrive().
    std::int64_t all = bytes_.Load(memory_order_relaxed);
    for (;;) {
      const std::int64_t read = std::min(all % kEnd, kAsked);
      if (read == 0) {
        return all >= kEnd ? 0 : -EAGAIN;
      }
      // relaxed: as in Arrive().
      if (bytes_.CompareExchange(all, all - read, memory_order_relaxed, memory_order_relaxed)) {
        return read;
      }
    }
  }

  ReadySlot slot_;
  WaitTurn turn_;
  Atomic<std::int64_t> bytes_{0};
  Atomic<bool> has_ended_{false};
};

void OneReader() {
  Connection connection;
  WaitGroup done;
  done.Add(1);
  SmallPool pool(1);
  Go(pool, [&] {
    for (std::int64_t left = 4; left > 0;) {
      const std::int64_t read = connection.Read();
      Check(read > 0, "no byte");
      left -= read;
    }
    done.Done();
  });
  connection.Arrive(1);
  connection.Arrive(3);
  done.Wait();
}

const ModelRegistration kOneReader{{
    .name = "net_reads/one_reader",
    .claim =
        "a reader that waits without a try, because its last read left nothing, gets all bytes",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body = &OneReader,
}};

// The second fiber reads a byte, after which others arrive. The first one reads those, or both do.
// A fiber that is refused, because the other one waits, ends.
template <bool Both>
void TwoReaders() {
  Connection connection;
  WaitGroup bytes;
  bytes.Add(3);
  WaitGroup done;
  done.Add(2);
  SmallPool pool(2);
  const auto read_all = [&connection, &bytes] {
    for (std::int64_t read = 0; (read = connection.Read()) > 0;) {
      for (; read > 0; --read) {
        bytes.Done();
      }
    }
  };
  Go(pool, [&] {
    read_all();
    done.Done();
  });
  Go(pool, [&] {
    Check(connection.ReadAndThenArrive(3) == 1, "not the byte");
    if (Both) {
      read_all();
    }
    done.Done();
  });
  bytes.Wait();
  connection.Close();
  done.Wait();
}

const ModelRegistration kTwoReaders{{
    .name = "net_reads/two_readers",
    .claim = "two fibers that read the same direction get all bytes between them",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = &TwoReaders<false>,
}};

const ModelRegistration kBothRead{{
    .name = "net_reads/two_readers_until_the_end",
    .claim = "two fibers that read the same direction get all bytes between them, and one waits",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body = &TwoReaders<true>,
}};

const ModelRegistration kTwoReadersWeak{{
    .name = "net_reads/two_readers_weakly_ordered",
    .claim = "two fibers that read the same direction get all bytes between them",
    .limits = {.preemptions = 1, .stale_reads = 1, .spurious = 0},
    .body = &TwoReaders<false>,
}};

const ModelRegistration kDeadline{{
    .name = "net_reads/bytes_at_the_deadline",
    .claim = "a read that waits without a try finds bytes at its deadline whose event is to come",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Connection connection;
          const Deadline passed = Deadline::In(std::chrono::nanoseconds(0));
          connection.ArriveUnreported(1);
          Check(connection.Read(passed) == 1, "not the byte");
          Check(connection.Read(passed) == -ETIMEDOUT, "a byte that has not come");
          connection.ArriveUnreported(1);
          Check(connection.Read(passed) == 1, "not the second byte");
          connection.ArriveUnreported(1);
          Check(connection.Read(passed) == 1, "the third byte is there");
        },
}};

template <bool Together>
void End() {
  Connection connection;
  WaitGroup done;
  done.Add(1);
  SmallPool pool(1);
  Go(pool, [&] {
    Check(connection.Read() == 1, "not the byte");
    Check(connection.Read() == 0, "not the end");
    done.Done();
  });
  if (!Together) {
    connection.Arrive(1);
  }
  connection.ArriveEnd(Together);
  done.Wait();
}

const ModelRegistration kEndWithByte{{
    .name = "net_reads/end_with_a_byte",
    .claim = "an end that one event reports together with a byte is read",
    .limits = {.preemptions = 3, .stale_reads = 2, .spurious = 0},
    .body = &End<true>,
}};

const ModelRegistration kEndAfterByte{{
    .name = "net_reads/end_after_a_byte",
    .claim = "an end that is reported after a byte is read",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body = &End<false>,
}};

}  // namespace

}  // namespace schedbench::sim::net_reads_model
