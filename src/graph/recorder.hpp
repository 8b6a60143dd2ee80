#pragma once

#include "graph/task_graph.hpp"
#include "platform/threads/cpu_switches.hpp"
#include "registry/scheduler.hpp"
#include "trace/session.hpp"

#include <memory>
#include <vector>

namespace schedbench::graph {

// Records what a scheduler's tasks do, from its construction to Stop(), and makes a graph of it:
//   const auto pool = schedulers::fast::MakePool();
//   graph::Recorder recorder(*pool);
//   ...                                        // fibers run and end
//   recorder.Stop();
//   const graph::TaskGraph graph = recorder.Take();
//   std::ofstream("my.graph", std::ios::binary) << graph::Encode(graph);
// An event takes 16 bytes and about 10 ns. A worker has room for 2^bits events; beyond that the
// oldest are lost and counted. One thread uses it that is not a worker. The scheduler must live
// until Stop(), and the recorder as long as the scheduler's threads, because a worker may be
// recording its last event after Stop().
class Recorder {
 public:
  static constexpr unsigned kDefaultBits = 18;  // 4 MiB for each worker

  // Requires: the scheduler records events (IScheduler::Tracers()).
  explicit Recorder(registry::IScheduler& scheduler, unsigned bits = kDefaultBits);

  // Ends the recording.
  void Stop() {
    session_->Stop();
  }

  // Returns the graph of the recording. Call it after Stop(), with all fibers ended or suspended.
  TaskGraph Take() const;

 private:
  std::unique_ptr<trace::Session> session_;
};

// Returns the graph of a stopped session. `off`: Track::off by worker; it may have fewer entries.
TaskGraph GraphOf(const trace::Session& session,
                  const std::vector<std::vector<platform::OffCpu>>& off = {});

}  // namespace schedbench::graph
