#include "fibers/sched/preempt.hpp"

#include "base/attributes.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/blocking.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "platform/signals/preempt_signal.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_errno.hpp"
#include "platform/threads/thread_event.hpp"
#include "schedulers/fast/worker.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "tests/support/schedulers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <signal.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace schedbench::tests::preempt_test {

namespace {

class Preemption : public testing::Test {
 protected:
  registry::IScheduler& Make(std::uint32_t workers, const std::string& spec) {
    owned_ = MakeScheduler(spec, workers);
    return *owned_;
  }

  std::uint64_t Read(std::string_view metric) const {
    return Totals(*owned_)[metric];
  }

 private:
  const HangGuard hang_guard_{"a test of preemption"};
  std::unique_ptr<registry::IScheduler> owned_;
};

TEST_F(Preemption, AFiberYieldsAtAPreemptionPointWhenItsTimeSliceIsOver) {
  auto& pool = Make(1, "fast:preempt=coop,time_slice_ms=1");
  std::atomic<bool> over{false};
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { over = true; });
    while (!over) {
      fibers::PreemptPoint();
    }
  });
  pool.WaitIdle();
  EXPECT_GE(Read("coop_preemptions"), 1U);
  EXPECT_EQ(Read("signal_preemptions"), 0U);
}

TEST_F(Preemption, GoIsAPreemptionPoint) {
  auto& pool = Make(1, "fast:preempt=coop,time_slice_ms=1");
  std::atomic<bool> over{false};
  executors::Submit(pool, [] {});
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { over = true; });
    const auto begin = std::chrono::steady_clock::now();
    while (!over) {
      if (std::chrono::steady_clock::now() - begin > std::chrono::milliseconds(20)) {
        fibers::Go(pool, [] {});
      }
    }
  });
  pool.WaitIdle();
  EXPECT_GE(Read("coop_preemptions"), 1U);
}

TEST_F(Preemption, IsOffUnlessTheConfigAsksForIt) {
  auto& pool = Make(1, "fast:blocking=hand_off");
  bool ran_before = false;
  std::atomic<bool> other_ran = false;
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { other_ran = true; });
    const auto begin = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50)) {
      fibers::PreemptPoint();
    }
    ran_before = other_ran;
  });
  pool.WaitIdle();
  EXPECT_FALSE(ran_before);
  EXPECT_EQ(Read("coop_preemptions"), 0U);
}

TEST_F(Preemption, AFiberInANoPreemptScopeKeepsItsWorker) {
  auto& pool = Make(1, "fast:preempt=coop,time_slice_ms=1");
  bool ran_in_scope = false;
  std::atomic<bool> other_ran{false};
  fibers::Go(pool, [&] {
    {
      const fibers::NoPreempt outer;
      // In the scope: Go() is a preemption point.
      fibers::Go(pool, [&] { other_ran = true; });
      const fibers::NoPreempt inner;
      const auto begin = std::chrono::steady_clock::now();
      while (std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(50)) {
        fibers::PreemptPoint();
      }
      ran_in_scope = other_ran;
    }
    while (!other_ran) {
      fibers::PreemptPoint();
    }
  });
  pool.WaitIdle();
  EXPECT_FALSE(ran_in_scope);
}

TEST_F(Preemption, APreemptionPointOutsideOfFibersDoesNothing) {
  auto& pool = Make(1, "fast:preempt=coop,time_slice_ms=1");
  fibers::PreemptPoint();
  const fibers::NoPreempt scope;
  bool ran = false;
  executors::Submit(pool, [&] {
    const fibers::NoPreempt in_task;
    fibers::PreemptPoint();
    ran = true;
  });
  pool.WaitIdle();
  EXPECT_TRUE(ran);
}

#if defined(SB_ASAN) || defined(SB_TSAN) || !defined(__x86_64__)

TEST_F(Preemption, BySignalIsRefusedWhereItIsNotAvailable) {
  EXPECT_THROW(Make(1, "fast:preempt=signal"), std::runtime_error);
}

#else

// Interrupts all workers of a pool again and again, from a thread of its own: some ten thousand
// times a second.
class Interrupter {
 public:
  using Pool = schedulers::fast::ThreadPool;

  explicit Interrupter(registry::IScheduler& pool)
      : thread_([this, &pool] {
          while (!over_) {
            for (const auto& worker : dynamic_cast<Pool&>(pool).Workers()) {
              worker->RequestPreemption();
              platform::PreemptSignal::Send(worker->ThreadNumber());
            }
            // What is tested: code between two signals.
            std::this_thread::sleep_for(std::chrono::microseconds(20));
          }
        }) {
  }

  ~Interrupter() {
    over_ = true;
    thread_.join();
  }

  Interrupter(const Interrupter&) = delete;
  Interrupter& operator=(const Interrupter&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

SCHEDBENCH_PREEMPTIBLE void SpinUntil(const std::atomic<bool>& over) {
  while (!over.load(std::memory_order_relaxed)) {
  }
}

TEST_F(Preemption, ASignalInterruptsALoopWithoutPreemptionPoints) {
  auto& pool = Make(1, "fast:preempt=signal,time_slice_ms=1");
  std::atomic<bool> over{false};
  fibers::Go(pool, [&] {
    fibers::Go(pool, [&] { over = true; });
    SpinUntil(over);
  });
  pool.WaitIdle();
  EXPECT_GE(Read("signal_preemptions"), 1U);
}

// Integers, flags, x87 and vectors, in as many registers as the compiler likes.
SCHEDBENCH_PREEMPTIBLE std::uint64_t Integers(std::uint64_t seed, std::uint64_t steps) {
  std::uint64_t a = seed;
  std::uint64_t b = seed ^ 1;
  std::uint64_t c = seed ^ 2;
  std::uint64_t d = seed ^ 3;
  std::uint64_t e = seed ^ 4;
  std::uint64_t f = seed ^ 5;
  for (std::uint64_t i = 0; i < steps; ++i) {
    a = a * 6364136223846793005U + 1;
    b += a > b ? 3 : 5;
    c ^= b >> 7U;
    d = (d << 13U | d >> 51U) + c;
    e += __builtin_add_overflow(d, a, &f) ? 1 : 2;
  }
  return a ^ b ^ c ^ d ^ e ^ f;
}

SCHEDBENCH_PREEMPTIBLE long double X87(std::uint64_t seed, std::uint64_t steps) {
  long double x = static_cast<long double>(seed) + 0.5L;
  for (std::uint64_t i = 0; i < steps; ++i) {
    x = x * 0.75L + static_cast<long double>(i % 7);
  }
  return x;
}

[[gnu::target("avx2")]] SCHEDBENCH_PREEMPTIBLE std::uint64_t Avx2(std::uint64_t seed,
                                                                  std::uint64_t steps) {
  __m256i a = _mm256_set1_epi64x(static_cast<long long>(seed));
  __m256i b = _mm256_set_epi64x(1, 2, 3, 4);
  for (std::uint64_t i = 0; i < steps; ++i) {
    a = _mm256_add_epi64(a, b);
    b = _mm256_xor_si256(b, _mm256_slli_epi64(a, 3));
  }
  alignas(32) std::uint64_t lanes[4];
  _mm256_store_si256(reinterpret_cast<__m256i*>(lanes), _mm256_xor_si256(a, b));
  return lanes[0] ^ lanes[1] * 3 ^ lanes[2] * 5 ^ lanes[3] * 7;
}

[[gnu::target("avx512f,avx512vl")]] SCHEDBENCH_PREEMPTIBLE std::uint64_t Avx512(
    std::uint64_t seed, std::uint64_t steps) {
  __m512i a = _mm512_set1_epi64(static_cast<long long>(seed));
  __m512i b = _mm512_set_epi64(1, 2, 3, 4, 5, 6, 7, 8);
  for (std::uint64_t i = 0; i < steps; ++i) {
    const __mmask8 odd = _mm512_test_epi64_mask(a, _mm512_set1_epi64(1));
    a = _mm512_mask_add_epi64(a, odd, a, b);
    b = _mm512_rol_epi64(_mm512_xor_si512(b, a), 3);
  }
  alignas(64) std::uint64_t lanes[8];
  _mm512_store_si512(lanes, _mm512_xor_si512(a, b));
  std::uint64_t sum = 0;
  for (int i = 0; i < 8; ++i) {
    sum = sum * 31 + lanes[i];
  }
  return sum;
}

struct Answers {
  std::uint64_t integers = 0;
  long double x87 = 0;
  std::uint64_t avx2 = 0;
  std::uint64_t avx512 = 0;

  bool operator==(const Answers&) const = default;
};

Answers Compute(std::uint64_t seed, std::uint64_t steps) {
  Answers answers{.integers = Integers(seed, steps), .x87 = X87(seed, steps)};
  if (__builtin_cpu_supports("avx2")) {
    answers.avx2 = Avx2(seed, steps);
  }
  if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) {
    answers.avx512 = Avx512(seed, steps);
  }
  return answers;
}

TEST_F(Preemption, RegistersFlagsAndErrnoSurviveThousandsOfSignals) {
  constexpr std::size_t kFibers = 6;
  constexpr std::uint64_t kSteps = 200'000;
  std::vector<Answers> expected;
  for (std::size_t i = 0; i < kFibers; ++i) {
    expected.push_back(Compute(i, kSteps));
  }
  for (const std::uint32_t workers : {1U, 2U}) {
    auto& pool = Make(workers, "fast:preempt=signal,time_slice_ms=60000");
    std::vector<Answers> answers(kFibers);
    std::vector<int> wrong(kFibers);
    {
      const Interrupter interrupter(pool);
      for (std::size_t i = 0; i < kFibers; ++i) {
        fibers::Go(pool, [&, i] {
          for (int round = 0; round < 5; ++round) {
            platform::SetThreadErrno(static_cast<int>(i) + 1);
            answers[i] = Compute(i, kSteps);
            wrong[i] += answers[i] == expected[i] ? 0 : 1;
            wrong[i] += platform::ThreadErrno() == static_cast<int>(i) + 1 ? 0 : 1;
          }
        });
      }
      pool.WaitIdle();
    }
    for (std::size_t i = 0; i < kFibers; ++i) {
      EXPECT_EQ(wrong[i], 0) << "fiber " << i;
    }
    EXPECT_GE(Read("signal_preemptions"), 100U);
  }
}

SCHEDBENCH_PREEMPTIBLE bool StaysOnItsThread(std::uint64_t steps) {
  const std::uint64_t thread = platform::ThreadNumber();
  std::uint64_t sum = 0;
  for (std::uint64_t i = 0; i < steps; ++i) {
    sum = sum * 31 + i;
    asm volatile("" : "+r"(sum));
  }
  return platform::ThreadNumber() == thread;
}

TEST_F(Preemption, AnInterruptedFiberStaysOnItsThread) {
  auto& pool = Make(4, "fast:preempt=signal,time_slice_ms=60000,blocking=hand_off");
  std::atomic<int> moved{0};
  {
    const Interrupter interrupter(pool);
    for (int i = 0; i < 16; ++i) {
      fibers::Go(pool, [&] {
        for (int round = 0; round < 20; ++round) {
          moved += StaysOnItsThread(100'000) ? 0 : 1;
          fibers::Yield();
        }
      });
    }
    pool.WaitIdle();
  }
  EXPECT_EQ(moved, 0);
}

SCHEDBENCH_PREEMPTIBLE void AllocateAndFree(int rounds) {
  for (int i = 0; i < rounds; ++i) {
    void* const memory = std::malloc(static_cast<std::size_t>(16 + i % 500));
    asm volatile("" ::"r"(memory) : "memory");
    std::free(memory);
  }
}

TEST_F(Preemption, AFiberInMallocIsNotInterrupted) {
  auto& pool = Make(2, "fast:preempt=signal,time_slice_ms=60000");
  std::atomic<int> ended{0};
  {
    const Interrupter interrupter(pool);
    for (int i = 0; i < 8; ++i) {
      fibers::Go(pool, [&] {
        AllocateAndFree(200'000);
        ++ended;
      });
    }
    pool.WaitIdle();
  }
  EXPECT_EQ(ended, 8);
}

TEST_F(Preemption, ASignalWithoutARequestDoesNothing) {
  auto& pool = Make(1, "fast:preempt=signal,time_slice_ms=60000");
  bool right = false;
  fibers::Go(pool, [&] {
    const Answers expected = Compute(1, 1000);
    std::thread sender([&pool] {
      for (int i = 0; i < 200; ++i) {
        platform::PreemptSignal::Send(
            dynamic_cast<Interrupter::Pool&>(pool).Workers()[0]->ThreadNumber());
      }
    });
    right = true;
    for (int i = 0; i < 2000; ++i) {
      right = right && Compute(1, 1000) == expected;
    }
    sender.join();
  });
  ASSERT_EQ(raise(SIGURG), 0);
  pool.WaitIdle();
  EXPECT_TRUE(right);
  EXPECT_EQ(Read("signal_preemptions"), 0U);
}

TEST_F(Preemption, AFunctionThatIsNotMarkedIsNotInterrupted) {
  auto& pool = Make(1, "fast:preempt=signal,time_slice_ms=60000");
  std::atomic<bool> over{false};
  fibers::Go(pool, [&] {
    while (!over) {
    }
  });
  {
    const Interrupter interrupter(pool);
    // What is tested: hundreds of signals meanwhile.
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
  over = true;
  pool.WaitIdle();
  EXPECT_EQ(Read("signal_preemptions"), 0U);
}

// One thread at a time may be in a call. It is the turn of a fiber whose thread has an interrupted
// fiber by then.
TEST_F(Preemption, AnInterruptedFiberContinuesAfterCallsOfItsThreadThatHadToWait) {
  auto& pool = Make(1, "fast:blocking=hand_off,preempt=signal,time_slice_ms=1,max_threads=2");
  platform::ThreadEvent first;
  std::atomic<bool> second_runs{false};
  std::atomic<bool> over{false};
  fibers::Go(pool, [&] { fibers::Blocking([&] { first.Wait(); }); });
  fibers::Go(pool, [&] { fibers::Blocking([&] { second_runs = true; }); });
  fibers::Go(pool, [&] { SpinUntil(over); });
  fibers::Go(pool, [&] {
    while (Read("signal_preemptions") == 0) {
      fibers::Yield();
    }
    first.Set();
    while (!second_runs) {
      fibers::Yield();
    }
    over = true;
  });
  pool.WaitIdle();
  EXPECT_TRUE(over);
}

#endif

}  // namespace

}  // namespace schedbench::tests::preempt_test
