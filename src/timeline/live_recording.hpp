#pragma once

#include "graph/task_graph.hpp"
#include "platform/threads/mutex.hpp"
#include "registry/scheduler.hpp"
#include "timeline/recording.hpp"
#include "trace/session.hpp"

#include <memory>
#include <optional>

namespace schedbench::timeline {

// The events of a scheduler from Begin() to Stop(). Any thread. It must live as long as the
// scheduler's threads, also after Stop(): a worker may be recording its last event.
class LiveRecording {
 public:
  LiveRecording() = default;
  LiveRecording(const LiveRecording&) = delete;
  LiveRecording& operator=(const LiveRecording&) = delete;

  // Starts, with room for 2^`bits` events of each worker. Called once; after Stop() it records
  // nothing. The scheduler must live until Stop(). Requires: it has tracers.
  void Begin(registry::IScheduler& scheduler, unsigned bits);

  // Discards what was recorded up to now.
  void Discard();

  // Ends the recording; later events are not recorded.
  void Stop();

  // Returns the recording, after Stop(). None: it never began.
  std::optional<Recording> Take() const;

  // Returns the recording as a graph of tasks. `cpu`: the kernel's report on the workers' CPUs.
  std::optional<graph::TaskGraph> TakeGraph(const CpuTimes& cpu) const;

 private:
  mutable platform::Mutex mutex_;
  // mutex_ guards both fields.
  std::unique_ptr<trace::Session> session_;
  bool stopped_ = false;
};

}  // namespace schedbench::timeline
