#include "tests/support/stress.hpp"

#include "trace/tracer.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <thread>

namespace schedbench::trace {

namespace {

TEST(TracerStress, CanBeStartedAndStoppedWhileItsWorkerRecords) {
  EventRing first(1, 4);
  EventRing second(2, 4);
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
  for (EventRing* const ring : {&first, &second}) {
    tracer.Start(*ring);
    const std::uint64_t before = ring->Recorded();
    while (ring->Recorded() == before) {
      std::this_thread::yield();
    }
  }
  tracer.Stop();
  done = true;
  worker.join();
  for (const Event& event : first.ReadStopped().events) {
    EXPECT_EQ(event.worker, 1);
  }
  for (const Event& event : second.ReadStopped().events) {
    EXPECT_EQ(event.worker, 2);
  }
}

}  // namespace

}  // namespace schedbench::trace
