#include "tests/fault/disturbance.hpp"

#include "base/random.hpp"

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <string>
#include <string_view>

#include <sched.h>

namespace schedbench::fault {

namespace {

struct Disturbance {
  std::string_view name;
  std::uint32_t once_in;  // default
};

// So that the tests take a few times as long as without. Sleeps are of up to 50 us: longer than a
// futex takes.
enum Kind : std::size_t { kSpin, kYield, kSleep, kMove, kWeakExchange, kEarlyReturn, kKinds };
constexpr std::array<Disturbance, kKinds> kDefaults{
    {{"spin", 50}, {"yield", 300}, {"sleep", 3000}, {"move", 20000}, {"cas", 8}, {"futex", 4}}};

// What all threads share; made at the first point.
struct Plan {
  Plan() {
    for (std::size_t i = 0; i < kKinds; ++i) {
      once_in[i] = kDefaults[i].once_in;
    }
    if (const char* text = std::getenv("SCHEDBENCH_FAULT")) {
      Read(text);
    }
    const char* text = std::getenv("SCHEDBENCH_FAULT_SEED");
    seed = text != nullptr ? std::strtoull(text, nullptr, 10) : std::random_device{}();
    std::fprintf(stderr, "fault: SCHEDBENCH_FAULT_SEED=%llu\n",
                 static_cast<unsigned long long>(seed));
    CPU_ZERO(&allowed);
    ::sched_getaffinity(0, sizeof(allowed), &allowed);
  }

  // "name=N,name=N"
  void Read(std::string_view text) {
    while (!text.empty()) {
      const std::string item(text.substr(0, text.find(',')));
      text.remove_prefix(std::min(text.size(), item.size() + 1));
      const std::size_t equals = item.find('=');
      bool known = false;
      for (std::size_t i = 0; i < kKinds && equals != std::string::npos; ++i) {
        if (kDefaults[i].name == item.substr(0, equals)) {
          once_in[i] =
              static_cast<std::uint32_t>(std::strtoul(item.c_str() + equals + 1, nullptr, 10));
          known = true;
        }
      }
      if (!known) {
        std::fprintf(
            stderr,
            "SCHEDBENCH_FAULT: '%s' is none of spin, yield, sleep, move, cas, futex with =N\n",
            item.c_str());
        std::abort();
      }
    }
  }

  std::array<std::uint32_t, kKinds> once_in{};
  std::uint64_t seed = 0;
  cpu_set_t allowed{};
  std::atomic<std::uint64_t> threads{0};
};

Plan& ThePlan() {
  static auto& plan = *new Plan;  // never destroyed: threads may outlive main
  return plan;
}

class Chance {
 public:
  Chance()
      : random_(DeriveSeed(ThePlan().seed, ThePlan().threads.fetch_add(1))) {
  }

  bool Comes(Kind kind) noexcept {
    const std::uint32_t once_in = ThePlan().once_in[kind];
    return once_in != 0 && Below(once_in) == 0;
  }

  std::uint32_t Below(std::uint32_t limit) noexcept {
    return static_cast<std::uint32_t>((std::uint64_t{random_.Next()} * limit) >> 32U);
  }

 private:
  QuickRandom random_;
};

// Asked for anew at each call, by functions that are not inlined: a fiber may be on another thread
// by then.
Chance& OfThisThread() noexcept {
  thread_local Chance chance;
  return chance;
}

// To one CPU, or free to be on any.
void Move(Chance& chance) noexcept {
  const Plan& plan = ThePlan();
  std::uint32_t which = chance.Below(static_cast<std::uint32_t>(CPU_COUNT(&plan.allowed)) + 1);
  cpu_set_t target = plan.allowed;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &plan.allowed) && which-- == 0) {
      CPU_ZERO(&target);
      CPU_SET(cpu, &target);
      break;
    }
  }
  ::sched_setaffinity(0, sizeof(target), &target);
}

}  // namespace

void Disturb() noexcept {
  Chance& chance = OfThisThread();
  if (chance.Comes(kSpin)) {
    for (std::uint32_t i = chance.Below(300); i > 0; --i) {
      __builtin_ia32_pause();
    }
  }
  if (chance.Comes(kYield)) {
    ::sched_yield();
  }
  if (chance.Comes(kSleep)) {
    const timespec pause{.tv_sec = 0, .tv_nsec = chance.Below(50000)};
    ::clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, nullptr);  // NOLINT
  }
  if (chance.Comes(kMove)) {
    Move(chance);
  }
}

bool WeakExchangeFails() noexcept {
  return OfThisThread().Comes(kWeakExchange);
}

bool WaitReturnsEarly() noexcept {
  return OfThisThread().Comes(kEarlyReturn);
}

}  // namespace schedbench::fault
