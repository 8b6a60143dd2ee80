#include "platform/machine/hardware_counters.hpp"

#include <cerrno>
#include <cstring>

#include <linux/perf_event.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr std::array<std::uint64_t, 2> kKinds{PERF_COUNT_HW_INSTRUCTIONS,
                                              PERF_COUNT_HW_CACHE_MISSES};

int OpenCounter(std::uint64_t kind) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_HARDWARE;
  attributes.config = kind;
  attributes.inherit = 1;
  attributes.exclude_kernel = 1;
  attributes.exclude_hv = 1;
  attributes.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
  return static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
}

std::optional<std::uint64_t> ReadCounter(int event) {
  struct {
    std::uint64_t count;
    std::uint64_t enabled_ns;
    std::uint64_t running_ns;
  } value{};
  if (event < 0 || ::read(event, &value, sizeof(value)) != sizeof(value)) {
    return std::nullopt;
  }
  if (value.running_ns == 0) {
    // The counter has not had a turn on the CPU.
    return value.enabled_ns == 0 ? std::optional<std::uint64_t>(0) : std::nullopt;
  }
  return static_cast<std::uint64_t>(static_cast<double>(value.count) *
                                    static_cast<double>(value.enabled_ns) /
                                    static_cast<double>(value.running_ns));
}

}  // namespace

HardwareCounters::HardwareCounters() {
  for (std::size_t i = 0; i < kKinds.size(); ++i) {
    events_[i] = OpenCounter(kKinds[i]);
    if (events_[i] < 0 && refusal_.empty()) {
      refusal_ = std::string("perf_event_open: ") + std::strerror(errno);
    }
  }
}

HardwareCounters::~HardwareCounters() {
  for (const int event : events_) {
    if (event >= 0) {
      ::close(event);
    }
  }
}

HardwareCounters::Values HardwareCounters::Read() const {
  return {.instructions = ReadCounter(events_[0]), .cache_misses = ReadCounter(events_[1])};
}

}  // namespace schedbench::platform
