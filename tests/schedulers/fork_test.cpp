// A child of fork() has none of the scheduler's threads.
#include "executors/submit.hpp"
#include "fibers/sched/go.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

#include <csignal>
#include <string>

#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::tests::fork_test {

namespace {

// Expects that a child that runs `body` aborts with the message.
template <typename Body>
void ExpectRefused(const std::string& what, Body body) {
  int ends[2];
  ASSERT_EQ(::pipe(ends), 0);
  const int original = ::dup(STDERR_FILENO);
  ::dup2(ends[1], STDERR_FILENO);
  const pid_t pid = ::fork();
  if (pid == 0) {
    body();
    ::_exit(0);
  }
  ::dup2(original, STDERR_FILENO);
  ::close(original);
  ::close(ends[1]);
  std::string error;
  char buffer[4096];
  for (ssize_t count = ::read(ends[0], buffer, sizeof(buffer)); count > 0;
       count = ::read(ends[0], buffer, sizeof(buffer))) {
    error.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(ends[0]);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT) << what << ": " << status;
  EXPECT_NE(error.find("a child of fork() uses fibers"), std::string::npos) << what << error;
}

TEST(Fork, EndsAChildThatUsesItsParentsScheduler) {
  const HangGuard guard("a child of fork");
  for (const std::string name :
       {"fast", "work_stealing", "global_fifo", "single_thread", "bounded_pool"}) {
    auto scheduler = MakeScheduler(name, 2);
    // First, so that pools that grow have a thread.
    bool forked = false;
    fibers::Go(*scheduler, [&] {
      ExpectRefused(name + " runs the fiber that forks", [] {});
      forked = true;
    });
    scheduler->WaitIdle();
    EXPECT_TRUE(forked) << name;
    ExpectRefused(name + " gets a task", [&scheduler] {
      executors::Submit(*scheduler, [] {});
      scheduler->WaitIdle();
    });
    ExpectRefused(name + " is destroyed", [&scheduler] { scheduler.reset(); });
  }
}

}  // namespace

}  // namespace schedbench::tests::fork_test
