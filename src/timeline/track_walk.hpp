#pragma once

#include "timeline/timeline.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::timeline {

// The calls of a walk over a track, each with parts of a Timeline.
template <typename Visitor>
concept TrackVisitor = requires(Visitor& visitor, const Slice& slice, const Instant& instant,
                                const QueueLengths& lengths, const OffCpuTime& off, std::size_t i) {
  visitor.OnBegin(slice);
  visitor.OnEnd(slice);
  visitor.OnOffCpu(off);               // within the slice that has begun
  visitor.OnOnCpu(off);                // its end
  visitor.OnInstant(instant, &slice);  // the slice that it is in, or null
  visitor.OnLength(lengths, i);        // the i-th value
};

// Visits the tracks of a timeline in turn, and each in the order of time. At equal times a slice
// ends before the next begins, and events at the end of a slice are outside of it.
class TrackWalk {
 public:
  explicit TrackWalk(const Timeline& timeline)
      : timeline_(timeline) {
  }

  // Visits a track. Tracks must come in their order, from 0, each once.
  template <TrackVisitor Visitor>
  void Walk(std::uint32_t track, Visitor& visitor) {
    counters_.clear();
    for (const QueueLengths& lengths : timeline_.counters) {
      if (lengths.track == track) {
        counters_.push_back({.lengths = &lengths, .next = 0});
      }
    }
    const std::vector<Slice>& slices = timeline_.slices;
    for (; slice_ < slices.size() && slices[slice_].track == track; ++slice_) {
      const Slice& slice = slices[slice_];
      VisitPoints(track, slice.start, nullptr, visitor);
      visitor.OnBegin(slice);
      const std::vector<OffCpuTime>& off = timeline_.off_cpu;
      for (; off_ < off.size() && off[off_].track == track && off[off_].start < slice.end; ++off_) {
        VisitPoints(track, off[off_].start, &slice, visitor);
        visitor.OnOffCpu(off[off_]);
        VisitPoints(track, off[off_].end, &slice, visitor);
        visitor.OnOnCpu(off[off_]);
      }
      VisitPoints(track, slice.end, &slice, visitor);
      visitor.OnEnd(slice);
    }
    VisitPoints(track, ~std::uint64_t{0}, nullptr, visitor);
  }

 private:
  struct Cursor {
    const QueueLengths* lengths;
    std::size_t next;
  };

  template <typename Visitor>
  void VisitPoints(std::uint32_t track, std::uint64_t until, const Slice* inside,
                   Visitor& visitor) {
    const std::vector<Instant>& instants = timeline_.instants;
    for (;;) {
      std::uint64_t at = until;
      Cursor* earliest = nullptr;
      for (Cursor& counter : counters_) {
        if (counter.next < counter.lengths->at.size() && counter.lengths->at[counter.next] < at) {
          at = counter.lengths->at[counter.next];
          earliest = &counter;
        }
      }
      if (instant_ < instants.size() && instants[instant_].track == track &&
          instants[instant_].at < until && instants[instant_].at <= at) {
        visitor.OnInstant(instants[instant_++], inside);
      } else if (earliest != nullptr) {
        visitor.OnLength(*earliest->lengths, earliest->next++);
      } else {
        return;
      }
    }
  }

  const Timeline& timeline_;
  std::size_t slice_ = 0;
  std::size_t off_ = 0;
  std::size_t instant_ = 0;
  std::vector<Cursor> counters_;
};

// The names in all exports.
std::string TrackName(const Timeline& timeline, std::uint32_t track);  // "worker 3", "outside"
std::string CounterName(const Timeline& timeline,
                        const QueueLengths& lengths);  // "local queue 3", "global queue"
std::string_view InstantName(InstantKind kind);        // "steal"
std::string_view OffCpuName(OffCpuKind kind);          // "preempted"

}  // namespace schedbench::timeline
