#include "trace/tracer.hpp"

#include "trace/labels.hpp"

#include <gtest/gtest.h>

namespace schedbench::trace::tracer_test {

namespace {

TEST(Tracer, RecordsBetweenStartAndStopOnly) {
  Labels labels;
  WorkerLog log(0, 4, labels);
  Tracer tracer;
  EXPECT_FALSE(tracer.IsOn());
  EXPECT_EQ(tracer.Log(), nullptr);
  tracer.Record(EventKind::kPark);
  tracer.Start(log);
  EXPECT_TRUE(tracer.IsOn());
  tracer.Record(EventKind::kSteal, 3, 8);
  tracer.Stop();
  EXPECT_FALSE(tracer.IsOn());
  tracer.Record(EventKind::kUnpark);
  const RingContent content = log.ring.ReadStopped();
  ASSERT_EQ(content.events.size(), 1u);
  EXPECT_EQ(content.events[0].kind, EventKind::kSteal);
  EXPECT_EQ(content.events[0].fiber, 3u);
  EXPECT_EQ(content.events[0].arg, 8);
}

}  // namespace

}  // namespace schedbench::trace::tracer_test
