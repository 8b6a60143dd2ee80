#pragma once

#include "graph/task_graph.hpp"
#include "platform/threads/cpu_switches.hpp"
#include "registry/scheduler.hpp"
#include "trace/session.hpp"

#include <memory>
#include <vector>

namespace schedbench::graph {

// Records what the tasks of a scheduler do, from its construction to Stop(), and makes a graph of it:
//
//   const auto pool = schedulers::fast::MakePool();
//   graph::Recorder recorder(*pool);
//   ...                                        // fibers run and end
//   recorder.Stop();
//   const graph::TaskGraph graph = recorder.Take();
//   std::ofstream("my.graph", std::ios::binary) << graph::Encode(graph);
//
// An event takes 16 bytes and about 10 ns. A worker has room for 2^bits; of more, the oldest are lost and counted. Used by one
// thread that is no worker. The scheduler lives until Stop(), and the recorder as long as the threads of the scheduler do, because
// a worker may be recording its last event after Stop().
class Recorder {
 public:
  static constexpr unsigned kDefaultBits = 18;  // 4 MiB for each worker

  // Requires: the scheduler records events (IScheduler::Tracers()).
  explicit Recorder(registry::IScheduler& scheduler, unsigned bits = kDefaultBits);

  // Ends the recording.
  void Stop() {
    session_->Stop();
  }

  // Returns the graph of what was recorded. After Stop(), with all fibers ended or suspended.
  TaskGraph Take() const;

 private:
  std::unique_ptr<trace::Session> session_;
};

// Returns the graph of a session that has stopped. `off`: by worker, Track::off; it may have fewer.
TaskGraph GraphOf(const trace::Session& session,
                  const std::vector<std::vector<platform::OffCpu>>& off = {});

}  // namespace schedbench::graph
