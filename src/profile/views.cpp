#include "profile/views.hpp"

#include "profile/sampling/frame_text.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace schedbench::profile {

namespace {

constexpr std::string_view kAsleep = ";worker:asleep";
constexpr std::string_view kPreempted = ";worker:preempted";

std::uint64_t Scaled(std::uint64_t weight, double factor) {
  return static_cast<std::uint64_t>(std::llround(static_cast<double>(weight) * factor));
}

struct Time {
  std::uint64_t sampled_ns = 0;
  std::uint64_t cpu_ns = 0;
};

}  // namespace

FoldedStacks WallTime(const StackProfile& profile, const std::vector<WorkerTime>& times) {
  FoldedStacks stacks;
  std::map<std::uint32_t, Time> by_worker;
  for (const WorkerTime& time : times) {
    by_worker[time.worker].cpu_ns += time.cpu_ns;
    const std::string root = WorkerText(profile.workers[time.worker]);
    const std::uint64_t off_cpu_ns = time.wall_ns - std::min(time.wall_ns, time.cpu_ns);
    const std::uint64_t queued_ns = std::min(off_cpu_ns, time.queued_ns.value_or(0));
    stacks[root + std::string(kPreempted)] += queued_ns;
    stacks[root + std::string(kAsleep)] += off_cpu_ns - queued_ns;
  }
  for (const Sample& sample : profile.samples) {
    by_worker[sample.worker].sampled_ns += sample.weight_ns;
  }
  std::map<std::string, double, std::less<>> factor_of;
  for (const auto& [worker, time] : by_worker) {
    factor_of[WorkerText(profile.workers[worker])] =
        static_cast<double>(time.cpu_ns) /
        static_cast<double>(std::max<std::uint64_t>(1, time.sampled_ns));
  }
  for (const auto& [stack, weight] : Fold(profile, {.worker = true})) {
    const std::string_view root = std::string_view(stack).substr(0, stack.find(';'));
    stacks[stack] += Scaled(weight, factor_of.find(root)->second);
  }
  std::erase_if(stacks, [](const auto& entry) { return entry.second == 0; });
  return stacks;
}

std::vector<Graph> GraphsOf(const ProfiledRun& run) {
  const auto graph = [](std::string name, std::string about, FoldedStacks stacks,
                        std::uint64_t sample_weight) {
    return Graph{.name = std::move(name),
                 .about = std::move(about),
                 .unit = "ns",
                 .stacks = std::move(stacks),
                 .sample_weight = sample_weight,
                 .before = std::nullopt};
  };
  std::vector<Graph> graphs;
  graphs.push_back(graph("CPU",
                         "CPU time of the workers, by the fiber that ran or by what the worker did "
                         "without one.",
                         Fold(run.cpu, {}), run.period_ns));
  graphs.push_back(graph("Waiting",
                         "Time that fibers waited, summed over all: where, and innermost for what. "
                         "Estimated from snapshots.",
                         Fold(run.waiting, {}), 0));
  graphs.push_back(graph(
      "Queueing",
      "Time that fibers were ready and did not run, summed over all; fibers that had never run "
      "have no name. Estimated from snapshots.",
      Fold(run.ready, {}), 0));
  graphs.push_back(
      graph("By worker",
            "The wall time of each worker: what it did, asleep or blocked in the kernel "
            "(worker:asleep), and ready while other threads had its CPU (worker:preempted).",
            WallTime(run.cpu, run.report.times), 0));
  return graphs;
}

std::vector<HotFrame> HottestFrames(const StackProfile& profile, std::size_t count) {
  struct Weights {
    std::uint64_t self = 0;
    std::uint64_t total = 0;
  };
  std::vector<std::string> names;
  for (FrameId frame = 0; frame < profile.FrameCount(); ++frame) {
    names.push_back(FrameText(profile.FrameAt(frame)));
  }
  std::map<std::string_view, Weights> by_name;
  std::uint64_t sum = 0;
  for (const Sample& sample : profile.samples) {
    sum += sample.weight_ns;
    std::set<std::string_view> seen;  // a function that calls itself counts once
    std::string_view innermost = names[sample.owner];
    for (const FrameId frame : profile.StackAt(sample.stack)) {
      innermost = names[frame];
      if (seen.insert(innermost).second) {
        by_name[innermost].total += sample.weight_ns;
      }
    }
    by_name[innermost].self += sample.weight_ns;
  }
  std::vector<HotFrame> frames;
  for (const auto& [name, weights] : by_name) {
    const auto whole = static_cast<double>(sum);
    frames.push_back({.name = std::string(name),
                      .self = static_cast<double>(weights.self) / whole,
                      .total = static_cast<double>(weights.total) / whole});
  }
  std::ranges::sort(frames, [](const HotFrame& a, const HotFrame& b) { return a.self > b.self; });
  frames.resize(std::min(frames.size(), count));
  return frames;
}

}  // namespace schedbench::profile
