#pragma once

#include "trace/event.hpp"
#include "trace/event_ring.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schedbench::trace {

class Labels;

// The recorder of a worker: its ring, and a cache of labels. For the worker and the ring's readers.
class WorkerLog {
 public:
  // `labels`: those of the recording, which outlive this.
  WorkerLog(std::uint8_t worker, unsigned bits, Labels& labels)
      : ring(worker, bits),
        labels_(labels),
        next_task_(kFirstTask + (std::uint32_t{worker} << kTaskBits)) {
  }

  WorkerLog(const WorkerLog&) = delete;
  WorkerLog& operator=(const WorkerLog&) = delete;

  // Returns the label of a source line, like "main.cpp:12". `file` is a permanent string. Most
  // fibers of a run start at a few lines, whose labels are cached.
  Label LabelOfPlace(const char* file, std::uint32_t line) noexcept {
    const std::size_t hash = (reinterpret_cast<std::uintptr_t>(file) >> 3U) + line;
    Known& known = known_[hash % known_.size()];
    if (known.file != file || known.line != line) {
      known = {.file = file, .line = line, .label = AskForPlace(file, line)};
    }
    return known.label;
  }

  // Returns the label of a fiber's own name.
  Label LabelOfName(std::string_view name) noexcept;

  // Returns a number for a task other than a fiber. Each worker has 2^23, which it reuses.
  std::uint32_t NextTask() noexcept {
    constexpr std::uint32_t kMask = (1U << kTaskBits) - 1;
    next_task_ = (next_task_ & ~kMask) | ((next_task_ + 1) & kMask);
    return next_task_;
  }

  EventRing ring;

 private:
  // below the 8 bits of the worker, below the bit of tasks
  static constexpr unsigned kTaskBits = 23;

  Label AskForPlace(const char* file, std::uint32_t line) noexcept;

  struct Known {
    const char* file = nullptr;
    std::uint32_t line = 0;
    Label label = kNoLabel;
  };

  Labels& labels_;
  std::uint32_t next_task_;
  std::array<Known, 64> known_{};
};

}  // namespace schedbench::trace
