#include "platform/threads/allowed_cpus.hpp"

#include <array>

#include <sched.h>

namespace schedbench::platform {

namespace {

constexpr int kMostCpus = 8192;
using Mask = std::array<cpu_set_t, kMostCpus / CPU_SETSIZE>;

}  // namespace

std::vector<int> AllowedCpuNumbers() {
  Mask mask{};
  std::vector<int> numbers;
  if (::sched_getaffinity(0, sizeof(mask), mask.data()) == 0) {
    for (int cpu = 0; cpu < kMostCpus; ++cpu) {
      if (CPU_ISSET_S(cpu, sizeof(mask), mask.data())) {
        numbers.push_back(cpu);
      }
    }
  }
  return numbers;
}

bool RunOnlyOn(std::span<const int> cpus) noexcept {
  Mask mask{};
  for (const int cpu : cpus) {
    CPU_SET_S(cpu, sizeof(mask), mask.data());
  }
  return ::sched_setaffinity(0, sizeof(mask), mask.data()) == 0;
}

}  // namespace schedbench::platform
