// What a fork costs that no thief takes, by the way in which owner and thieves of a deque agree:
// the candidates for src/fibers/fork/fork_queue.hpp, alone, without fibers and without a pool.
// fib(n) with a fork per call, by one thread and by two; a thread whose call was stolen steals
// meanwhile.
#include "base/atomic.hpp"
#include "base/cache_line.hpp"
#include "base/spin_wait.hpp"
#include "platform/threads/asymmetric_fence.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"
#include "stats/order_statistics.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::tests {

namespace {

constexpr int kNumber = 27;
constexpr int kPasses = 15;
constexpr std::uint64_t kCapacity = 1024;

struct Job {
  void (*make)(Job& job);
  Atomic<bool> is_done{false};
};

// D. Chase and Y. Lev (2005), with the orders of N. M. Le and others (2013). `Fences` says what a
// pop and a steal pass.
template <typename Fences>
class ChaseLev {
 public:
  void Push(Job& job) {
    const std::uint64_t bottom = bottom_.Load(memory_order_relaxed);  // relaxed: the owner's own
    slots_[bottom % kCapacity].Store(&job, memory_order_relaxed);  // relaxed: published by bottom_
    bottom_.Store(bottom + 1, memory_order_release);               // release: pairs with Steal()
  }

  bool Pop() {
    const std::uint64_t bottom =
        bottom_.Load(memory_order_relaxed) - 1;   // relaxed: the owner's own
    bottom_.Store(bottom, memory_order_relaxed);  // relaxed: the fence orders it
    Fences::Owner();
    std::uint64_t top = top_.Load(memory_order_relaxed);  // relaxed: after the fence
    if (static_cast<std::int64_t>(bottom - top) > 0) {
      return true;
    }
    // seq_cst: pairs with Steal(), of which one succeeds. relaxed: lost.
    const bool won = top == bottom &&
                     top_.CompareExchange(top, top + 1, memory_order_seq_cst, memory_order_relaxed);
    bottom_.Store(bottom + 1, memory_order_relaxed);  // relaxed: the deque is empty
    return won;
  }

  Job* Steal() {
    std::uint64_t top =
        top_.Load(memory_order_acquire);  // acquire: pairs with the exchange of another thief
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_relaxed) - top) <=
        0) {  // relaxed: a hint
      return nullptr;
    }
    Fences::Thief();
    // acquire: pairs with Push().
    if (static_cast<std::int64_t>(bottom_.Load(memory_order_acquire) - top) <= 0) {
      return nullptr;
    }
    Job* const job =
        slots_[top % kCapacity].Load(memory_order_relaxed);  // relaxed: the exchange validates it
    // seq_cst: pairs with Pop(). relaxed: lost.
    return top_.CompareExchange(top, top + 1, memory_order_seq_cst, memory_order_relaxed) ? job
                                                                                          : nullptr;
  }

 private:
  Atomic<std::uint64_t> bottom_{1};
  alignas(kCacheLine) Atomic<std::uint64_t> top_{1};
  alignas(kCacheLine) std::array<Atomic<Job*>, kCapacity> slots_{};
};

struct FullFences {
  static void Owner() {
    AtomicFence(memory_order_seq_cst);  // seq_cst: pairs with Thief()
  }
  static void Thief() {
    AtomicFence(memory_order_seq_cst);  // seq_cst: pairs with Owner()
  }
};

struct AsymmetricFences {
  static void Owner() {
    platform::LightFence();
  }
  static void Thief() {
    platform::HeavyFence();
  }
};

// The deque of Lace (T. van Dijk and J. van de Pol, 2014): the newer part is private, and published
// by half when a thief asks.
class Split {
 public:
  void Push(Job& job) {
    slots_[head_ % kCapacity] = &job;
    ++head_;
    if (is_asked_.Load(memory_order_relaxed))
        [[unlikely]] {  // relaxed: a wish, met sooner or later
      const std::uint32_t more = (head_ - split_ + 1) / 2;
      split_ += more;
      public_.FetchAdd(more, memory_order_release);  // release: pairs with Steal()
      is_asked_.Store(false, memory_order_relaxed);  // relaxed: as above
    }
  }

  bool Pop() {
    if (head_ == split_ && !TakeBack()) [[unlikely]] {
      // All are stolen. The slots are used again.
      head_ = split_ = head_ - 1;
      public_.Store(Word(head_, head_), memory_order_release);  // release: pairs with Steal()
      return false;
    }
    --head_;
    return true;
  }

  Job* Steal() {
    std::uint64_t word = public_.Load(memory_order_acquire);  // acquire: pairs with Push()
    const auto tail = static_cast<std::uint32_t>(word >> 32U);
    const auto split = static_cast<std::uint32_t>(word);
    if (tail >= split) {
      if (!is_asked_.Load(memory_order_relaxed)) {    // relaxed: a wish
        is_asked_.Store(true, memory_order_relaxed);  // relaxed: a wish
      }
      return nullptr;
    }
    Job* const job = slots_[tail % kCapacity];
    // seq_cst: pairs with TakeBack(). relaxed: lost.
    return public_.CompareExchange(word, Word(tail + 1, split), memory_order_seq_cst,
                                   memory_order_relaxed)
               ? job
               : nullptr;
  }

 private:
  static std::uint64_t Word(std::uint64_t tail, std::uint32_t split) {
    return (tail << 32U) | split;
  }

  // Makes the newer half of the public part private. False: it is empty.
  bool TakeBack() {
    std::uint64_t word = public_.Load(memory_order_relaxed);  // relaxed: the exchange checks it
    for (;;) {
      const auto tail = static_cast<std::uint32_t>(word >> 32U);
      const auto split = static_cast<std::uint32_t>(word);
      if (tail == split) {
        return false;
      }
      const std::uint32_t rest = tail + (split - tail) / 2;
      // seq_cst: pairs with Steal(). relaxed: tries again.
      if (public_.CompareExchangeWeak(word, Word(tail, rest), memory_order_seq_cst,
                                      memory_order_relaxed)) {
        split_ = rest;
        return true;
      }
    }
  }

  std::uint32_t head_ = 0;
  std::uint32_t split_ = 0;
  Atomic<bool> is_asked_{false};
  alignas(kCacheLine) Atomic<std::uint64_t> public_{0};  // tail, the oldest, and split
  alignas(kCacheLine) std::array<Job*, kCapacity> slots_{};
};

template <typename Deque>
class Fib {
 public:
  // Returns ns per fork.
  double Measure(std::uint32_t threads) {
    deques_.clear();
    for (std::uint32_t i = 0; i < threads; ++i) {
      deques_.push_back(std::make_unique<Deque>());
    }
    stop_.Store(false, memory_order_relaxed);  // relaxed: no thread yet
    std::uint64_t ns = 0;
    {
      std::vector<platform::Thread> thieves;
      for (std::uint32_t i = 1; i < threads; ++i) {
        thieves.emplace_back("thief", [this, i] {
          own_ = i;
          while (!stop_.Load(memory_order_relaxed)) {  // relaxed: a wish
            if (!TrySteal()) {
              CpuRelax();
            }
          }
        });
      }
      own_ = 0;
      static_cast<void>(Number(kNumber - 4));
      const std::uint64_t start = platform::NowNs();
      number_ = Number(kNumber);
      ns = platform::NowNs() - start;
      stop_.Store(true, memory_order_relaxed);  // relaxed: a wish
    }
    return static_cast<double>(ns) / static_cast<double>(Forks(kNumber));
  }

  static std::uint64_t Forks(int n) {
    std::uint64_t forks = 1;
    std::uint64_t before = 0;
    for (int i = 0; i < n; ++i) {
      forks = std::exchange(before, forks) + forks;
    }
    return forks - 1;
  }

 private:
  bool TrySteal() {
    for (std::uint32_t i = 0; i < deques_.size(); ++i) {
      if (i == own_) {
        continue;
      }
      if (Job* const job = deques_[i]->Steal()) {
        job->make(*job);
        job->is_done.Store(true, memory_order_release);  // release: pairs with Number()
        return true;
      }
    }
    return false;
  }

  struct FibJob : Job {
    Fib* fib;
    int n;
    std::uint64_t number;
  };

  SB_NOINLINE std::uint64_t Number(int n) {
    if (n < 2) {
      return static_cast<std::uint64_t>(n);
    }
    FibJob job;
    job.make = [](Job& made) {
      auto& self = static_cast<FibJob&>(made);
      self.number = self.fib->Number(self.n);
    };
    job.fib = this;
    job.n = n - 2;
    deques_[own_]->Push(job);
    const std::uint64_t first = Number(n - 1);
    if (deques_[own_]->Pop()) [[likely]] {
      return first + Number(n - 2);
    }
    while (!job.is_done.Load(memory_order_acquire)) {  // acquire: pairs with TrySteal()
      TrySteal();
    }
    return first + job.number;
  }

  static inline thread_local std::uint32_t own_ = 0;
  std::vector<std::unique_ptr<Deque>> deques_;
  Atomic<bool> stop_{false};
  volatile std::uint64_t number_ = 0;
};

SB_NOINLINE std::uint64_t Serial(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : Serial(n - 1) + Serial(n - 2);
}

double MeasureSerial() {
  const std::uint64_t start = platform::NowNs();
  volatile std::uint64_t number = Serial(kNumber);
  static_cast<void>(number);
  return static_cast<double>(platform::NowNs() - start) /
         static_cast<double>(Fib<Split>::Forks(kNumber));
}

struct Row {
  const char* name;
  double (*measure)(std::uint32_t threads);
  std::array<std::vector<double>, 2> ns{};
};

template <typename Deque>
double MeasureOf(std::uint32_t threads) {
  return Fib<Deque>().Measure(threads);
}

}  // namespace

}  // namespace schedbench::tests

int main() {
  using namespace schedbench::tests;
  std::array rows{
      Row{"no fork: plain calls", [](std::uint32_t /*threads*/) { return MeasureSerial(); }},
      Row{"Chase-Lev, full fence in each pop", &MeasureOf<ChaseLev<FullFences>>},
      Row{"Chase-Lev, heavy fence in each steal", &MeasureOf<ChaseLev<AsymmetricFences>>},
      Row{"split deque, published on demand", &MeasureOf<Split>},
  };
  for (int pass = 0; pass < kPasses; ++pass) {
    for (Row& row : rows) {
      for (std::uint32_t threads = 1; threads <= 2; ++threads) {
        row.ns[threads - 1].push_back(row.measure(threads));
      }
    }
  }
  fmt::print(
      "fib({}) with a fork per call: ns per fork, median of {} interleaved passes [fastest .. "
      "slowest]\n\n"
      "| deque | one thread | two threads |\n|---|---|---|\n",
      kNumber, kPasses);
  for (const Row& row : rows) {
    fmt::print("| {}", row.name);
    for (const std::vector<double>& ns : row.ns) {
      fmt::print(" | {:.1f} [{:.1f} .. {:.1f}]", schedbench::stats::Median(ns),
                 std::ranges::min(ns), std::ranges::max(ns));
    }
    fmt::print(" |\n");
  }
}
