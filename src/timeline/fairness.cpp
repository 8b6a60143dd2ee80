#include "timeline/fairness.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

namespace schedbench::timeline {

namespace {

struct FiberTime {
  std::uint64_t run_ns = 0;
  std::uint64_t ready_ns = 0;
};

// A fiber that waits for something does not compete for the workers.
constexpr double kCompetes = 0.9;  // share of the window

class Windows {
 public:
  explicit Windows(const Timeline& timeline)
      : start_(timeline.start_ns),
        length_(timeline.LengthNs() / kFairnessWindows) {
  }

  std::uint64_t LengthNs() const {
    return length_;
  }

  void Add(std::uint32_t fiber, std::uint64_t start, std::uint64_t end,
           std::uint64_t FiberTime::* time) {
    for (std::uint64_t at = start; at < end;) {
      const std::uint64_t window = (at - start_) / length_;
      if (window >= kFairnessWindows) {
        return;
      }
      const std::uint64_t next = std::min(end, start_ + (window + 1) * length_);
      fibers_[window][fiber].*time += next - at;
      at = next;
    }
  }

  // Returns the run times of the fibers that competed in a window.
  std::vector<double> RunTimes(std::size_t window) const {
    std::vector<double> times;
    for (const auto& [fiber, time] : fibers_[window]) {
      if (static_cast<double>(time.run_ns + time.ready_ns) >=
          kCompetes * static_cast<double>(length_)) {
        times.push_back(static_cast<double>(time.run_ns));
      }
    }
    return times;
  }

 private:
  const std::uint64_t start_;
  const std::uint64_t length_;
  std::array<std::map<std::uint32_t, FiberTime>, kFairnessWindows> fibers_;
};

// A fiber whose worker is preempted counts as ready: it lacks a CPU through no fault of its own.
void AddRunTimes(const Timeline& timeline, Windows& windows) {
  auto off = timeline.off_cpu.begin();
  for (const Slice& slice : timeline.slices) {
    if (slice.kind != SliceKind::kRun || slice.fiber == trace::kNoFiber) {
      continue;
    }
    // Both are sorted by track, then by time, and each time off the CPU is within one slice.
    while (off != timeline.off_cpu.end() &&
           std::pair(off->track, off->start) < std::pair(slice.track, slice.start)) {
      ++off;
    }
    std::uint64_t since = slice.start;
    for (; off != timeline.off_cpu.end() && off->track == slice.track && off->start < slice.end;
         ++off) {
      if (off->kind == OffCpuKind::kPreempted) {
        windows.Add(slice.fiber, since, off->start, &FiberTime::run_ns);
        windows.Add(slice.fiber, off->start, off->end, &FiberTime::ready_ns);
        since = off->end;
      }
    }
    windows.Add(slice.fiber, since, slice.end, &FiberTime::run_ns);
  }
}

// Returns 1 if no fiber has run.
double JainIndex(const std::vector<double>& times) {
  double sum = 0;
  double squares = 0;
  for (const double time : times) {
    sum += time;
    squares += time * time;
  }
  return squares == 0 ? 1 : sum * sum / (static_cast<double>(times.size()) * squares);
}

}  // namespace

Fairness FairnessOf(const Timeline& timeline) {
  Windows windows(timeline);
  Fairness fairness{.window_ns = windows.LengthNs()};
  if (windows.LengthNs() == 0) {
    return fairness;
  }
  AddRunTimes(timeline, windows);
  for (const ReadyTime& ready : timeline.ready) {
    windows.Add(ready.fiber, ready.start, ready.end, &FiberTime::ready_ns);
  }
  std::vector<double> indices;
  std::vector<double> counts;
  for (std::size_t window = 0; window < kFairnessWindows; ++window) {
    const std::vector<double> times = windows.RunTimes(window);
    if (times.size() >= 2) {
      indices.push_back(JainIndex(times));
      counts.push_back(static_cast<double>(times.size()));
    }
  }
  if (!indices.empty()) {
    fairness.windows = indices.size();
    fairness.fibers = static_cast<std::size_t>(stats::Median(counts));
    fairness.median = stats::Median(indices);
    fairness.least = *std::ranges::min_element(indices);
  }
  return fairness;
}

}  // namespace schedbench::timeline
