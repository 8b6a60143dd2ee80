#include "trace/session.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>

namespace schedbench::trace::session_test {

namespace {

TEST(Session, RecordsEachWorkerInARingOfItsOwnUntilItIsStopped) {
  std::array<Tracer, 2> tracers;
  Session session(std::array{&tracers[0], &tracers[1]}, 4);
  EXPECT_EQ(session.WorkerCount(), 2u);
  tracers[0].Record(EventKind::kPark);
  tracers[1].Record(EventKind::kUnpark);
  tracers[1].Record(EventKind::kPark);
  EXPECT_EQ(session.Read(0).events.size(), 1u);
  session.Stop();
  tracers[1].Record(EventKind::kUnpark);
  const RingContent content = session.Read(1);
  ASSERT_EQ(content.events.size(), 2u);
  EXPECT_EQ(content.events[0].worker, 1);
  EXPECT_EQ(content.events[0].kind, EventKind::kUnpark);
}

TEST(Session, KnowsWhenItStartedAndWhenItStopped) {
  std::array<Tracer, 1> tracers;
  Session session(std::array{&tracers[0]}, 4);
  const TickMap running = session.Clock();
  session.Stop();
  const TickMap stopped = session.Clock();
  EXPECT_EQ(running.StartNs(), stopped.StartNs());
  EXPECT_LT(running.StopNs(), stopped.StopNs());
  session.Stop();
  EXPECT_EQ(session.Clock().StopNs(), stopped.StopNs());
}

TEST(Session, LetsGoOfTheTracersWhenItEnds) {
  Tracer tracer;
  std::optional<Session> session(std::in_place, std::array{&tracer}, 4);
  EXPECT_TRUE(tracer.IsOn());
  session.reset();
  EXPECT_FALSE(tracer.IsOn());
}

TEST(Session, RecordsOtherThreadsInARingThatBelongsToNoWorker) {
  Tracer tracer;
  SharedTracer external;
  Session session(std::array{&tracer}, 4, &external);
  EXPECT_TRUE(external.IsOn());
  external.With([](Tracer& shared) { shared.Record(EventKind::kWake, 7); });
  session.Stop();
  EXPECT_FALSE(external.IsOn());
  EXPECT_EQ(session.WorkerCount(), 1u);
  EXPECT_TRUE(session.Read(0).events.empty());
  ASSERT_EQ(session.ReadExternal().events.size(), 1u);
  EXPECT_EQ(session.ReadExternal().events[0].fiber, 7u);
}

TEST(Session, RecordsOtherThreadsOnlyOnRequest) {
  Tracer tracer;
  const Session session(std::array{&tracer}, 4);
  EXPECT_TRUE(session.ReadExternal().events.empty());
}

}  // namespace

}  // namespace schedbench::trace::session_test
