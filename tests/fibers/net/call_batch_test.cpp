// Reads and writes in batches: by hand, and on the workers of `fast` with netpoll=uring.
#include "fibers/net/call_batch.hpp"

#include "fibers/net/unix_socket.hpp"
#include "fibers/sched/spawn.hpp"
#include "metrics/pool_metrics.hpp"
#include "tests/fibers/net/net_support.hpp"

#include <atomic>
#include <list>
#include <memory>
#include <string>
#include <thread>

#include <sys/socket.h>

namespace schedbench::fibers::call_batch_test {

namespace {

using tests::ConnectedPair;
using tests::DrawnBytes;

// ---- By hand ----

// The batch of the calling thread, as a worker has one.
class Worker : private CallBatch::IWorker {
 public:
  Worker() {
    CallBatch::SetCurrent(&batch);
  }
  ~Worker() {
    CallBatch::SetCurrent(nullptr);
  }

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  bool HasOtherTasks() const noexcept override {
    return has_tasks;
  }

  // Makes the calls that wait. Returns how many.
  std::size_t MakeCalls() {
    const executors::SchedulerSide side;
    return batch.MakeAllOf(batch);
  }

  bool has_tasks = true;
  CallBatch batch{*this};
};

// A fiber that writes three bytes to a connection.
struct Writer {
  explicit Writer(executors::IExecutor& executor) {
    Go(executor, [this, &stream = pair.first] { sent = stream.WriteAll(DrawnBytes(3, 1)).bytes; });
  }

  void ExpectArrived() {
    EXPECT_EQ(sent, 3U);
    std::vector<std::byte> got(3);
    EXPECT_EQ(pair.second.ReadFull(got).bytes, 3U);
    EXPECT_EQ(got, DrawnBytes(3, 1));
  }

  std::pair<TcpStream, TcpStream> pair = ConnectedPair();
  std::size_t sent = 0;
};

TEST(CallBatch, HoldsTheCallsOfFibersUntilTheWorkerMakesThem) {
  Worker worker;
  executors::ManualExecutor first;
  executors::ManualExecutor second;
  Writer a(first);
  Writer b(second);
  first.Drain();
  second.Drain();
  EXPECT_FALSE(worker.batch.IsEmpty());
  EXPECT_EQ(a.sent + b.sent, 0U);
  EXPECT_EQ(worker.MakeCalls(), 2U);
  EXPECT_TRUE(worker.batch.IsEmpty());
  EXPECT_EQ(a.sent + b.sent, 0U) << "each fiber is resumed by its own executor";
  first.Drain();
  EXPECT_EQ(a.sent, 3U);
  second.Drain();
  a.ExpectArrived();
  b.ExpectArrived();
}

TEST(CallBatch, IsNotUsedByAThreadNorByAFiberWhoseWorkerHasNothingElseToDo) {
  Worker worker;
  auto [client, server] = ConnectedPair();
  EXPECT_EQ(client.WriteAll(DrawnBytes(3, 1)).bytes, 3U) << "a thread";
  worker.has_tasks = false;
  executors::ManualExecutor executor;
  Writer alone(executor);
  executor.Drain();
  alone.ExpectArrived();
  EXPECT_TRUE(worker.batch.IsEmpty());
}

TEST(CallBatch, IsMadeTogetherWithTheCallOfAFiberThatIsTheLastOne) {
  Worker worker;
  executors::ManualExecutor executor;
  Writer first(executor);
  executor.Drain();
  EXPECT_EQ(first.sent, 0U);
  worker.has_tasks = false;
  Writer last(executor);
  executor.Drain();
  EXPECT_TRUE(worker.batch.IsEmpty());
  last.ExpectArrived();
  first.ExpectArrived();
}

TEST(CallBatch, IsDueWhenItIsFull) {
  Worker worker;
  EXPECT_FALSE(worker.batch.IsDue());
  executors::ManualExecutor executor;
  std::list<Writer> writers;
  for (std::size_t i = 0; i < platform::SocketBatch::kMost; ++i) {
    writers.emplace_back(executor);
  }
  executor.Drain();
  EXPECT_TRUE(worker.batch.IsDue()) << "it is full";
  EXPECT_EQ(worker.MakeCalls(), platform::SocketBatch::kMost);
  executor.Drain();
  for (Writer& writer : writers) {
    writer.ExpectArrived();
  }
  EXPECT_FALSE(worker.batch.IsDue());
}

TEST(CallBatch, IsDueWhenItsFirstCallHasWaitedAndThenMakesTheNextCallsAtOnce) {
  Worker worker;
  executors::ManualExecutor executor;
  Writer first(executor);
  executor.Drain();
  const tests::HangGuard guard("a call that waits");
  while (!worker.batch.IsDue() || !worker.batch.IsOlder(CallBatch::kLongNs)) {
  }
  EXPECT_EQ(worker.MakeCalls(), 1U);
  executor.Drain();
  first.ExpectArrived();
  Writer second(executor);
  executor.Drain();
  second.ExpectArrived();
  EXPECT_TRUE(worker.batch.IsEmpty()) << "a batch of one call that has waited does not pay";
}

TEST(CallBatch, LetsAnyThreadMakeItsCalls) {
  Worker worker;
  executors::ManualExecutor executor;
  Writer a(executor);
  Writer b(executor);
  executor.Drain();
  std::thread([&worker] {
    const executors::SchedulerSide side;
    EXPECT_EQ(worker.batch.MakeAllAlone(), 2U);
  }).join();
  EXPECT_EQ(worker.MakeCalls(), 0U);
  executor.Drain();
  a.ExpectArrived();
  b.ExpectArrived();
}

// ---- On a scheduler ----

class CallBatches : public testing::Test {
 protected:
  void SetUp() override {
    const tests::WithRing ring;
    SCHEDBENCH_REQUIRE_RING(ring.Error());
  }

  registry::IScheduler& Make(std::uint32_t workers) {
    scheduler_ = tests::MakeScheduler("fast:netpoll=uring", workers);
    return *scheduler_;
  }

  std::uint64_t Read(std::string_view metric) const {
    return scheduler_->ReadPool()[metrics::MetricIndex(metric, metrics::PoolMetricList())];
  }

  const tests::HangGuard guard_{"calls in batches"};
  std::unique_ptr<registry::IScheduler> scheduler_;
};

TEST_F(CallBatches, AreNotUsedForASingleFiber) {
  auto [client, server] = ConnectedPair();
  WaitGroup done;
  done.Add(2);
  registry::IScheduler& scheduler = Make(1);
  Go(scheduler, [&, &stream = server] {
    tests::Echo(stream);
    done.Done();
  });
  scheduler.WaitIdle();
  std::thread([&stream = client] {
    for (int i = 0; i < 10; ++i) {
      tests::ExpectEcho(stream, DrawnBytes(10, 2));
    }
    stream.Close();
  }).join();
  done.Done();
  done.Wait();
  EXPECT_EQ(Read("net_batches"), 0U);
}

// A fiber that keeps its worker busy until the bytes of another fiber of the worker have arrived.
void ExpectCallsDespiteABusyFiber(registry::IScheduler& scheduler) {
  auto [client, server] = ConnectedPair();
  std::atomic<bool> arrived{false};
  WaitGroup done;
  done.Add(2);
  std::thread reader([&, &stream = server] {
    std::vector<std::byte> got(5);
    EXPECT_EQ(stream.ReadFull(got).bytes, 5U);
    arrived = true;
  });
  Go(scheduler, [&, &stream = client] {
    Go(scheduler, [&] {
      while (!arrived) {
      }
      done.Done();
    });
    EXPECT_EQ(stream.WriteAll(DrawnBytes(5, 1)).bytes, 5U);
    done.Done();
  });
  done.Wait();
  reader.join();
}

TEST_F(CallBatches, AreMadeByAnIdleWorkerWhileAFiberKeepsTheirOwnBusy) {
  ExpectCallsDespiteABusyFiber(Make(2));
}

TEST_F(CallBatches, AreMadeByTheMonitorWhileAFiberKeepsTheOnlyWorkerBusy) {
  ExpectCallsDespiteABusyFiber(Make(1));
}

TEST_F(CallBatches, GiveEachCallItsResultWhenConnectionsCloseInBetween) {
  constexpr std::size_t kPairs = 10;
  registry::IScheduler& scheduler = Make(1);
  std::vector<std::pair<TcpStream, TcpStream>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs.push_back(ConnectedPair());
  }
  WaitGroup done;
  done.Add(kPairs + kPairs / 2);
  Go(scheduler, [&] {
    for (std::size_t i = 0; i < kPairs; ++i) {
      Go(scheduler, [&, i] {
        const Transfer sent = pairs[i].first.WriteAll(DrawnBytes(3, 1));
        EXPECT_TRUE(sent.Ok() || sent.error.IsClosed()) << sent.error.Text();
        done.Done();
      });
      if (i % 2 != 0) {
        Go(scheduler, [&, i] {
          pairs[i].first.Close();
          done.Done();
        });
      }
    }
  });
  done.Wait();
  for (std::size_t i = 0; i < kPairs; i += 2) {
    std::vector<std::byte> got(3);
    EXPECT_EQ(pairs[i].second.ReadFull(got).bytes, 3U);
  }
}

// The worker of the connections always finds events when it polls.
TEST_F(CallBatches, DoNotKeepAWorkerFromStealing) {
  constexpr std::size_t kPairs = 8;
  registry::IScheduler& scheduler = Make(2);
  std::vector<std::pair<TcpStream, TcpStream>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs.push_back(ConnectedPair());
  }
  std::atomic<bool> stolen{false};
  WaitGroup done;
  done.Add(2 * kPairs + 1);
  for (auto& pair : pairs) {
    Go(scheduler, [&, &stream = pair.second] {
      tests::Echo(stream);
      done.Done();
    });
    Go(scheduler, [&, &stream = pair.first] {
      do {
        tests::ExpectEcho(stream, DrawnBytes(10, 1));
      } while (!stolen && !HasFailure());
      stream.Close();
      done.Done();
    });
  }
  Go(scheduler, [&] {
    Go(scheduler, [&] { stolen = true; });
    while (!stolen) {
    }
    done.Done();
  });
  done.Wait();
}

// No event follows a write that leaves room.
TEST_F(CallBatches, WriteAgainAndAgainToPeersThatDoNotAnswer) {
  constexpr std::size_t kPairs = 8;
  registry::IScheduler& scheduler = Make(1);
  std::vector<std::pair<TcpStream, TcpStream>> pairs;
  for (std::size_t i = 0; i < kPairs; ++i) {
    pairs.push_back(ConnectedPair());
  }
  WaitGroup done;
  done.Add(kPairs);
  Go(scheduler, [&] {
    for (auto& pair : pairs) {
      Go(scheduler, [&, &stream = pair.first] {
        for (int i = 0; i < 20; ++i) {
          EXPECT_EQ(stream.WriteAll(DrawnBytes(3, 1)).bytes, 3U);
        }
        done.Done();
      });
    }
  });
  done.Wait();
}

// A task of the pool that runs another executor by hand.
TEST_F(CallBatches, DoNotHoldTheCallOfAFiberThatATaskRunsByHand) {
  registry::IScheduler& scheduler = Make(1);
  WaitGroup done;
  done.Add(2);
  Go(scheduler, [&] {
    Go(scheduler, [&] { done.Done(); });  // it waits while the other fiber runs
    executors::ManualExecutor by_hand;
    Writer writer(by_hand);
    by_hand.Drain();
    writer.ExpectArrived();
    done.Done();
  });
  done.Wait();
}

// Urgent data stop a read short of the bytes behind them.
TEST_F(CallBatches, ReadAllBytesAroundUrgentOnes) {
  registry::IScheduler& scheduler = Make(1);
  auto [client, server] = ConnectedPair();
  const int fd = client.Fd();
  EXPECT_EQ(::send(fd, "abc", 3, 0), 3);
  EXPECT_EQ(::send(fd, "!", 1, MSG_OOB), 1);
  EXPECT_EQ(::send(fd, "defg", 4, 0), 4);
  std::string all;
  WaitGroup done;
  done.Add(1);
  Go(scheduler, [&, &stream = server] {
    std::array<std::byte, 100> buffer;
    while (all.size() < 7) {
      const Transfer got = stream.ReadSome(buffer);
      EXPECT_TRUE(got.Ok());
      if (got.bytes == 0) {
        break;
      }
      all.append(reinterpret_cast<const char*>(buffer.data()), got.bytes);
    }
    done.Done();
  });
  done.Wait();
  EXPECT_EQ(all, "abcdefg");
}

// The end of the peer and its last bytes may be one event.
TEST_F(CallBatches, ReadTheEndThatComesTogetherWithTheLastBytes) {
  registry::IScheduler& scheduler = Make(1);
  for (int i = 0; i < 200; ++i) {
    auto [client, server] = ConnectedPair();
    WaitGroup done;
    done.Add(1);
    Go(scheduler, [&, &stream = server] {
      std::vector<std::byte> buffer(100);
      std::size_t bytes = 0;
      for (Transfer got; (got = stream.ReadSome(buffer)).bytes > 0;) {
        bytes += got.bytes;
      }
      EXPECT_EQ(bytes, 7U);
      done.Done();
    });
    if (i % 2 != 0) {
      scheduler.WaitIdle();  // the reader waits
    }
    EXPECT_TRUE(client.WriteAll(DrawnBytes(7, 3)).Ok());
    client.Close();
    done.Wait();
  }
}

// A Unix socket may leave bytes that a short read did not take, without another event.
TEST_F(CallBatches, ReadUnixSocketsToTheEnd) {
  registry::IScheduler& scheduler = Make(1);
  auto [client, server] = UnixStream::Pair().Take();
  WaitGroup done;
  done.Add(1);
  Go(scheduler, [&, &stream = server] {
    std::vector<std::byte> buffer(1000);
    std::size_t bytes = 0;
    while (bytes < 3000) {
      const Transfer got = stream.ReadSome(buffer);
      EXPECT_TRUE(got.Ok() && got.bytes > 0);
      bytes += got.bytes;
    }
    done.Done();
  });
  for (int i = 0; i < 30; ++i) {
    EXPECT_TRUE(client.WriteAll(DrawnBytes(100, 4)).Ok());
  }
  done.Wait();
}

}  // namespace

}  // namespace schedbench::fibers::call_batch_test
