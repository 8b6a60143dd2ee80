#pragma once

#include "graph/build.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::graph {

// What happened, as a list. Times are nanoseconds.
class Script {
 public:
  explicit Script(std::size_t workers)
      : tracks_(workers + 1) {
    tracks_.back().is_worker = false;
  }

  // Runs `fiber`, or the loop where it is 0; what ran before has stopped for `why`.
  Script& Switch(std::size_t worker, std::uint64_t ns, std::uint32_t fiber,
                 trace::StopReason why = trace::StopReason::kLoop) {
    return Add(worker, {.ns = ns, .fiber = fiber, .arg = trace::SwitchArg(why, trace::kNoLabel)});
  }

  // The running fiber begins to wait, and the loop runs.
  Script& Suspend(std::size_t worker, std::uint64_t ns, std::uint32_t object = 0,
                  std::uint8_t kind = 0) {
    Add(worker, {.ns = ns, .fiber = object, .arg = kind, .kind = trace::EventKind::kWait});
    return Switch(worker, ns, trace::kNoFiber, trace::StopReason::kSuspended);
  }

  Script& End(std::size_t worker, std::uint64_t ns) {
    return Switch(worker, ns, trace::kNoFiber, trace::StopReason::kEnded);
  }

  Script& Spawn(std::size_t worker, std::uint64_t ns, std::uint32_t fiber) {
    return Add(worker, {.ns = ns, .fiber = fiber, .kind = trace::EventKind::kSpawn});
  }

  Script& Wake(std::size_t worker, std::uint64_t ns, std::uint32_t fiber) {
    return Add(worker, {.ns = ns, .fiber = fiber, .kind = trace::EventKind::kWake});
  }

  Script& Add(std::size_t worker, const Event& event) {
    tracks_[worker].events.push_back(event);
    return *this;
  }

  Script& Overwritten(std::size_t worker, std::uint64_t events) {
    tracks_[worker].overwritten = events;
    return *this;
  }

  // The track of what is no worker.
  std::size_t Outside() const {
    return tracks_.size() - 1;
  }

  TaskGraph Graph() const {
    return Build(tracks_, {});
  }

 private:
  std::vector<Track> tracks_;
};

// The steps of a task in short: "run 5, spawn 2, wait 0".
std::string StepsText(const TaskGraph& graph, std::size_t task);

}  // namespace schedbench::graph
