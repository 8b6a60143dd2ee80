#include "platform/threads/cpu_switches.hpp"

#include "platform/memory/memory.hpp"
#include "platform/time/clock.hpp"

#include <time.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstring>
#include <span>

#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

// perf_event_open(2)'s PERF_RECORD_SWITCH with PERF_SAMPLE_TID and PERF_SAMPLE_TIME.
struct SwitchRecord {
  perf_event_header header;
  std::uint32_t process;
  std::uint32_t thread;
  std::uint64_t time_ns;
};

// Returns the records, newest first. The kernel writes the ring from its end to its start;
// `position` is that of the newest record.
std::vector<SwitchRecord> ReadBackward(std::span<const std::byte> ring, std::uint64_t position) {
  std::vector<SwitchRecord> records;
  const std::uint64_t written = std::min<std::uint64_t>(ring.size(), 0 - position);
  const auto copy = [&](std::uint64_t from, void* to, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) {
      static_cast<std::byte*>(to)[i] = ring[(from + i) % ring.size()];
    }
  };
  for (std::uint64_t read = 0; read + sizeof(perf_event_header) <= written;) {
    SwitchRecord record{};
    copy(position + read, &record.header, sizeof(record.header));
    if (record.header.size < sizeof(record.header) || read + record.header.size > written) {
      break;  // the oldest, partly overwritten
    }
    if (record.header.type == PERF_RECORD_SWITCH && record.header.size == sizeof(record)) {
      copy(position + read, &record, sizeof(record));
      records.push_back(record);
    }
    read += record.header.size;
  }
  return records;
}

}  // namespace

std::unique_ptr<CpuSwitches> CpuSwitches::Open(int thread, std::string& refusal,
                                               std::size_t pages) {
  perf_event_attr attributes{};
  attributes.size = sizeof(attributes);
  attributes.type = PERF_TYPE_SOFTWARE;
  attributes.config = PERF_COUNT_SW_DUMMY;
  attributes.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_TIME;
  attributes.sample_id_all = 1;
  attributes.context_switch = 1;
  attributes.exclude_kernel = 1;  // required by perf_event_paranoid 2
  attributes.disabled = 1;
  attributes.write_backward = 1;  // the newest records stay
  attributes.use_clockid = 1;
  attributes.clockid = CLOCK_MONOTONIC;
  std::unique_ptr<CpuSwitches> switches(new CpuSwitches);
  switches->event_ = static_cast<int>(
      ::syscall(SYS_perf_event_open, &attributes, thread, -1, -1, PERF_FLAG_FD_CLOEXEC));
  if (switches->event_ < 0) {
    refusal = std::string("perf_event_open: ") + std::strerror(errno);
    return nullptr;
  }
  for (; pages > 0; pages /= 2) {
    // It is not writable, so the kernel overwrites unread records.
    void* const memory =
        ::mmap(nullptr, (1 + pages) * kPageBytes, PROT_READ, MAP_SHARED, switches->event_, 0);
    if (memory != MAP_FAILED) {
      switches->memory_ = memory;
      switches->ring_bytes_ = pages * kPageBytes;
      return switches;
    }
  }
  refusal = std::string("mmap of an event of perf: ") + std::strerror(errno);
  return nullptr;
}

CpuSwitches::~CpuSwitches() {
  if (memory_ != nullptr) {
    ::munmap(memory_, kPageBytes + ring_bytes_);
  }
  if (event_ >= 0) {
    ::close(event_);
  }
}

void CpuSwitches::Begin() noexcept {
  ::ioctl(event_, PERF_EVENT_IOC_ENABLE, 0);
}

CpuSwitches::Log CpuSwitches::Stop() {
  ::ioctl(event_, PERF_EVENT_IOC_DISABLE, 0);
  const std::uint64_t now_ns = NowNs();
  auto* const page = static_cast<perf_event_mmap_page*>(memory_);
  // acquire: pairs with the kernel's write of the position, after the records.
  const std::uint64_t position = std::atomic_ref(page->data_head).load(std::memory_order_acquire);
  const std::span ring(static_cast<const std::byte*>(memory_) + kPageBytes, ring_bytes_);
  std::vector<SwitchRecord> records = ReadBackward(ring, position);
  std::ranges::reverse(records);
  Log log;
  if (0 - position > ring_bytes_ && !records.empty()) {
    log.complete_from_ns = records.front().time_ns;
  }
  const SwitchRecord* out = nullptr;
  const auto add = [&](std::uint64_t end_ns) {
    if (out != nullptr) {
      const bool preempted = (out->header.misc & PERF_RECORD_MISC_SWITCH_OUT_PREEMPT) != 0;
      log.times.push_back({.start_ns = out->time_ns, .end_ns = end_ns, .preempted = preempted});
      out = nullptr;
    }
  };
  for (const SwitchRecord& record : records) {
    if ((record.header.misc & PERF_RECORD_MISC_SWITCH_OUT) != 0) {
      out = &record;
    } else {
      add(record.time_ns);
    }
  }
  add(now_ns);
  return log;
}

}  // namespace schedbench::platform
