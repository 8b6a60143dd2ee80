// A child of fork() has none of the scheduler's threads.
#include "base/attributes.hpp"
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/event.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::tests {

namespace {

// What a child wrote to stderr, and how it ended.
struct Child {
  std::string error;
  int status = 0;
};

template <typename Body>
Child Fork(Body body) {
  int ends[2];
  if (::pipe(ends) != 0) {
    return {};
  }
  const pid_t pid = ::fork();
  if (pid == 0) {
    ::dup2(ends[1], STDERR_FILENO);
    body();
    ::_exit(0);
  }
  ::close(ends[1]);
  Child child;
  char buffer[4096];
  for (ssize_t count = ::read(ends[0], buffer, sizeof(buffer)); count > 0;
       count = ::read(ends[0], buffer, sizeof(buffer))) {
    child.error.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  ::waitpid(pid, &child.status, 0);
  return child;
}

void ExpectRefused(const Child& child, const std::string& name) {
  EXPECT_TRUE(WIFSIGNALED(child.status) && WTERMSIG(child.status) == SIGABRT) << name;
  EXPECT_NE(
      child.error.find("a scheduler was used in a child of fork(), where its workers do not exist"),
      std::string::npos)
      << name << ": " << child.error;
}

TEST(Fork, LetsNobodyInTheChildUseASchedulerOfTheParent) {
  const HangGuard guard("a child of fork");
  for (const std::string& name : SchedulerNames()) {
    const auto scheduler = MakeScheduler(name, 2);
    ExpectRefused(Fork([&scheduler] {
                    executors::Submit(*scheduler, [] {});
                  }),
                  name);
    ExpectRefused(Fork([&scheduler] {
                    scheduler->WaitIdle();
                  }),
                  name);
    if (scheduler->SetActiveWorkers(2)) {
      ExpectRefused(Fork([&scheduler] {
                      scheduler->SetActiveWorkers(1);
                    }),
                    name);
    }
    bool ran = false;
    executors::Submit(*scheduler, [&ran] {
      ran = true;
    });
    scheduler->WaitIdle();
    EXPECT_TRUE(ran) << name << ": the parent is not concerned";
  }
}

TEST(Fork, LetsNobodyInTheChildStopOrDestroyASchedulerOfTheParent) {
  const HangGuard guard("a child of fork that joins threads");
  for (const std::string& name : SchedulerNames()) {
    auto scheduler = MakeScheduler(name, 2);
    ExpectRefused(Fork([&scheduler] {
                    scheduler->Stop();
                  }),
                  name);
    ExpectRefused(Fork([&scheduler] {
                    scheduler.reset();
                  }),
                  name);
  }
}

// Forks in a fiber, in whose child `body` runs.
template <typename Body>
Child ForkInAFiber(registry::IScheduler& scheduler, Body body) {
  Child child;
  fibers::Go(scheduler, [&] {
    child = Fork(body);
  });
  scheduler.WaitIdle();
  return child;
}

TEST(Fork, LetsAFiberThatForksUseItsSchedulerOnlyInTheParent) {
  const HangGuard guard("a child of a fiber");
  for (const std::string& name : SchedulerNames()) {
    for (const std::uint32_t workers : {1U, 2U}) {
      const auto scheduler = MakeScheduler(name, workers);
      ExpectRefused(ForkInAFiber(*scheduler,
                                 [&scheduler] {
                                   executors::Submit(*scheduler, [] {});
                                 }),
                    name + ": submits");
      ExpectRefused(ForkInAFiber(*scheduler,
                                 [] {
                                   fibers::Yield();
                                 }),
                    name + ": yields");
      ExpectRefused(ForkInAFiber(*scheduler,
                                 [] {
                                   fibers::Event().Wait();
                                 }),
                    name + ": waits");
      bool ran = false;
      fibers::Go(*scheduler, [&ran] {
        fibers::Yield();
        ran = true;
      });
      scheduler->WaitIdle();
      EXPECT_TRUE(ran) << name << ": the parent is not concerned";
    }
  }
}

TEST(Fork, EndsAChildWhoseFiberEnds) {
  const HangGuard guard("a child that goes on with its parent's tasks");
  for (const std::string& name : SchedulerNames()) {
    const auto scheduler = MakeScheduler(name, 2);
    pid_t child = -1;
    fibers::Go(*scheduler, [&child] {
      child = ::fork();
    });
    scheduler->WaitIdle();
    ASSERT_GT(child, 0);
    int status = 0;
    ::waitpid(child, &status, 0);
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << name << ": " << status;
  }
}

TEST(Fork, LetsTheChildOfAFiberComputeAndLeave) {
  for (const std::string& name : SchedulerNames()) {
    const auto scheduler = MakeScheduler(name, 2);
    const Child child = ForkInAFiber(*scheduler, [] {
      ::_exit(42);
    });
    EXPECT_TRUE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 42) << name << child.error;
  }
}

#if !defined(SB_ASAN) && \
    !defined(SB_TSAN)  // their runtimes do not start threads in a child of many threads

TEST(Fork, LetsTheChildMakeASchedulerOfItsOwn) {
  for (const std::string& name : SchedulerNames()) {
    const auto of_parent = MakeScheduler(name, 2);
    const Child child = Fork([&name] {
      const auto scheduler = MakeScheduler(name, 2);
      int sum = 0;
      executors::Submit(*scheduler, [&sum] {
        sum = 42;
      });
      scheduler->WaitIdle();
      ::_exit(sum);
    });
    EXPECT_TRUE(WIFEXITED(child.status) && WEXITSTATUS(child.status) == 42) << name << child.error;
  }
}

#endif

}  // namespace

}  // namespace schedbench::tests
