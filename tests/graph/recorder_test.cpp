#include "graph/recorder.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "graph/check.hpp"
#include "schedulers/fast/make_pool.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace schedbench::graph {

namespace {

// The same program has the same structure in each run, with any number of workers.
TEST(Recorder, MakesAGraphOfAProgramThatUsesFibers) {
  const auto record = [](std::uint32_t workers) {
    schedulers::fast::FastConfig config;
    config.workers.value = workers;
    const auto pool = schedulers::fast::MakePool(config);
    Recorder recorder(*pool);
    fibers::WaitGroup done;
    done.Add(2);
    fibers::Go(*pool, [&] {
      fibers::Channel<int> there(1);
      fibers::Channel<int> back(1);
      fibers::Go([&] {
        for (int i = 0; i < 10; ++i) {
          back.Send(there.Receive());
        }
        done.Done();
      });
      for (int i = 0; i < 10; ++i) {
        there.Send(i);
        back.Receive();
      }
      done.Done();
    });
    done.Wait();
    pool->WaitIdle();
    recorder.Stop();
    return recorder.Take();
  };
  const TaskGraph graph = record(1);
  EXPECT_EQ(Check(graph), "");
  EXPECT_EQ(graph.tasks.size(), 3u);
  EXPECT_GE(graph.waits, 10u);
  EXPECT_EQ(graph.lost_events, 0u);
  const TaskGraph other = record(2);
  EXPECT_EQ(Check(other), "");
  EXPECT_EQ(other.tasks.size(), 3u);
}

}  // namespace

}  // namespace schedbench::graph
