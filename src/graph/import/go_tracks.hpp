#pragma once

#include "fibers/core/waiting.hpp"
#include "graph/build.hpp"
#include "graph/task_graph.hpp"
#include "trace/event.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <unordered_map>
#include <vector>

namespace schedbench::graph {

// The actions of a trace's goroutines on each P and outside, filled by readers of all formats.
class GoTracks {
 public:
  // A P that does not exist: threads without a P, timers, the network.
  static constexpr std::uint64_t kOutsideP = ~std::uint64_t{0};

  // Sets the time and P of the following events.
  void At(std::uint64_t p, std::uint64_t ticks);

  // The running goroutine creates another one.
  void Create(std::uint64_t goroutine);
  void Start(std::uint64_t goroutine);
  void End();
  void Yield();
  void Wait(fibers::WaitKind kind);
  void Wake(std::uint64_t goroutine);
  // A timer, the network or the end of a system call wakes a goroutine.
  void WakeFromOutside(std::uint64_t goroutine, std::uint64_t ticks);
  // The goroutine is new in the trace and has waited since before it.
  void FoundWaiting(std::uint64_t goroutine, fibers::WaitKind kind);

  // Sets the function with which a goroutine begins; the first name counts.
  void SetName(std::uint64_t goroutine, const std::string& name);
  bool HasName(std::uint64_t goroutine) const {
    return names_.contains(goroutine);
  }

  // Makes the graph, once. `ends`: the trace's end in ticks; 0: its last event. Throws FormatError.
  TaskGraph Graph(std::uint64_t ticks_per_second, std::uint64_t ends, const std::string& source);

 private:
  struct Labels {
    std::vector<std::string> texts{std::string()};
    std::unordered_map<std::uint32_t, std::uint16_t> of{};  // labels by fiber
  };

  std::uint32_t FiberOf(std::uint64_t goroutine);
  void Add(trace::EventKind kind, std::uint32_t fiber, std::uint16_t arg = 0);
  void Stop(trace::StopReason why, fibers::WaitKind kind);
  void Order(std::uint64_t ticks_per_second);
  Labels LabelsOfFibers() const;

  using Events = std::vector<Event>;  // their times are ticks until Graph()

  std::map<std::uint64_t, Events> tracks_;  // events by P
  Events outside_;
  std::uint64_t p_ = kOutsideP;
  std::uint64_t now_ = 0;
  std::unordered_map<std::uint64_t, std::uint32_t> fibers_;  // fibers by goroutine
  std::map<std::uint64_t, std::string> names_;               // names by goroutine
};

}  // namespace schedbench::graph
