#include "tests/support/stress.hpp"
#include "trace/labels.hpp"
#include "trace/tracer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace schedbench::trace::tracer_stress {

namespace {

TEST(TracerStress, CanBeStartedAndStoppedWhileItsWorkerRecords) {
  Labels labels;
  WorkerLog first(1, 4, labels);
  WorkerLog second(2, 4, labels);
  Tracer tracer;
  std::atomic<bool> done{false};
  std::thread worker([&] {
    while (!done) {
      tracer.Record(EventKind::kPark);
    }
  });
  for (const tests::StressTime time; !time.IsOver();) {
    tracer.Start(first);
    tracer.Start(second);
    tracer.Stop();
  }
  // Stopped again once both have been used, however seldom the worker got to run.
  for (WorkerLog* const log : {&first, &second}) {
    tracer.Start(*log);
    const auto recorded = [log] {
      const RingContent content = log->ring.ReadLive();
      return content.overwritten + content.events.size();
    };
    const std::uint64_t before = recorded();
    while (recorded() == before) {
      std::this_thread::yield();
    }
  }
  tracer.Stop();
  done = true;
  worker.join();
  for (const Event& event : first.ring.ReadStopped().events) {
    EXPECT_EQ(event.worker, 1);
  }
  for (const Event& event : second.ring.ReadStopped().events) {
    EXPECT_EQ(event.worker, 2);
  }
}

}  // namespace

}  // namespace schedbench::trace::tracer_stress
