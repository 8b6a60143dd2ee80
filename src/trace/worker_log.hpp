#pragma once

#include "trace/event.hpp"
#include "trace/event_ring.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schedbench::trace {

class Labels;

// Where a worker records: its ring, and a cache of the labels. By the worker, but for the ring's readers.
class WorkerLog {
 public:
  // `labels`: of the recording; they outlive this.
  WorkerLog(std::uint8_t worker, unsigned bits, Labels& labels)
      : ring(worker, bits),
        labels_(labels),
        next_task_(kFirstTask + (std::uint32_t{worker} << kTaskBits)) {
  }

  WorkerLog(const WorkerLog&) = delete;
  WorkerLog& operator=(const WorkerLog&) = delete;

  // Label of a place: a file, which is a string that stays, and a line in it: "main.cpp:12". Most fibers of a run are started
  // at a few places, which are known by heart.
  Label LabelOfPlace(const char* file, std::uint32_t line) noexcept {
    const std::size_t hash = (reinterpret_cast<std::uintptr_t>(file) >> 3U) + line;
    Known& known = known_[hash % known_.size()];
    if (known.file != file || known.line != line) {
      known = {.file = file, .line = line, .label = AskForPlace(file, line)};
    }
    return known.label;
  }

  // Label of a fiber's own name.
  Label LabelOfName(std::string_view name) noexcept;

  // A number for a task that is no fiber. Each worker has 2^23, and begins anew.
  std::uint32_t NextTask() noexcept {
    constexpr std::uint32_t kMask = (1U << kTaskBits) - 1;
    next_task_ = (next_task_ & ~kMask) | ((next_task_ + 1) & kMask);
    return next_task_;
  }

  EventRing ring;

 private:
  static constexpr unsigned kTaskBits = 23;  // below the worker's 8, below the bit of tasks

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
