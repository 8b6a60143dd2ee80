#include "timeline/timeline.hpp"

#include <algorithm>

namespace schedbench::timeline {

namespace {

// Removes what ends before `from`, and lets the rest begin no earlier.
template <typename T>
void CutTimes(std::vector<T>& items, std::uint64_t from) {
  std::erase_if(items, [&](const T& item) {
    return item.end < from || (item.end == from && item.start < from);
  });
  for (T& item : items) {
    item.start = std::max(item.start, from);
  }
}

void CutArrows(Timeline& timeline, std::uint64_t from) {
  std::vector<ArrowId> moved(timeline.arrows.size(), kNone);
  ArrowId kept = 0;
  for (ArrowId id = 0; id < timeline.arrows.size(); ++id) {
    if (timeline.arrows[id].from >= from) {
      timeline.arrows[kept] = timeline.arrows[id];
      moved[id] = kept++;
    }
  }
  timeline.arrows.resize(kept);
  const auto move = [&](ArrowId& arrow) { arrow = arrow == kNone ? kNone : moved[arrow]; };
  for (Slice& slice : timeline.slices) {
    move(slice.arrow);
  }
  for (Instant& instant : timeline.instants) {
    move(instant.arrow);
  }
}

void CutLengths(QueueLengths& lengths, std::uint64_t from) {
  const auto first = std::ranges::lower_bound(lengths.at, from) - lengths.at.begin();
  lengths.at.erase(lengths.at.begin(), lengths.at.begin() + first);
  lengths.length.erase(lengths.length.begin(), lengths.length.begin() + first);
}

}  // namespace

void CutBefore(Timeline& timeline, std::uint64_t from) {
  if (from <= timeline.start_ns) {
    return;
  }
  timeline.start_ns = std::min(from, timeline.end_ns);
  CutTimes(timeline.slices, from);
  CutTimes(timeline.off_cpu, from);
  CutTimes(timeline.ready, from);
  std::erase_if(timeline.instants, [&](const Instant& instant) { return instant.at < from; });
  std::erase_if(timeline.waits, [&](const Wait& wait) { return wait.end < from; });
  CutArrows(timeline, from);
  for (QueueLengths& lengths : timeline.counters) {
    CutLengths(lengths, from);
  }
  std::erase_if(timeline.counters, [](const QueueLengths& lengths) { return lengths.at.empty(); });
}

}  // namespace schedbench::timeline
