#include "graph/recorder.hpp"

#include "fibers/core/waiting.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "graph/check.hpp"
#include "schedulers/fast/make_pool.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

namespace schedbench::graph {

namespace {

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
  const auto receives = std::ranges::count_if(graph.steps, [](const Step& step) {
    return step.kind == StepKind::kWait && step.object != 0 &&
           step.detail == static_cast<std::uint8_t>(fibers::WaitKind::kReceive);
  });
  EXPECT_GE(receives, 10) << "each wait has what it was for";
  const TaskGraph other = record(2);
  EXPECT_EQ(Check(other), "");
  EXPECT_EQ(other.tasks.size(), 3u);
}

TEST(Recorder, RecordsYieldsThatFindNoOtherTask) {
  schedulers::fast::FastConfig config;
  config.workers.value = 1;
  const auto pool = schedulers::fast::MakePool(config);
  Recorder recorder(*pool);
  fibers::WaitGroup done;
  done.Add(1);
  fibers::Go(*pool, [&] {
    for (int i = 0; i < 7; ++i) {
      fibers::Yield();
    }
    done.Done();
  });
  done.Wait();
  pool->WaitIdle();
  recorder.Stop();
  const TaskGraph graph = recorder.Take();
  EXPECT_EQ(std::ranges::count(graph.steps, StepKind::kYield, &Step::kind), 7);
}

}  // namespace

}  // namespace schedbench::graph
