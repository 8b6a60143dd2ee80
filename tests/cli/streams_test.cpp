#include "base/attributes.hpp"
#include "tests/cli/process.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::streams_test {

namespace {

Finished Shell(const std::string& command) {
  return Execute({"sh", "-c", command}, {.folder = "", .environment = {{"T", SCHEDBENCH_BINARY}}});
}

#if !defined(SB_ASAN) && !defined(SB_TSAN)
// Sanitizers reserve terabytes of address space for themselves.
TEST(Memory, ThatRunsOutIsAnErrorWithAMessage) {
  const Finished run = Shell("ulimit -v 300000; $T run -s fast -n 1 -w pingpong:pairs=1000000");
  EXPECT_EQ(run.code, 2);
  // What fails first depends on how much mimalloc reserves: a thread, a stack or the workload.
  EXPECT_THAT(run.error, testing::MatchesRegex("error: .*(not enough memory|ulimit -v).*\n"));
}
#endif

TEST(Memory, ThatCannotBeReadIsNotALimit) {
  // Of the files that are left none can be opened, not even /proc/meminfo.
  const Finished run = Shell("ulimit -n 4; $T run -s fast -n 1 --warmup 0 -w yield:fibers=100");
  EXPECT_EQ(run.error.find("MB of RAM"), std::string::npos) << run.error;
}

TEST(Stdout, ThatIsFullIsAnErrorWithAMessage) {
  for (const char* command :
       {"list", "--help", "--version", "describe scheduler fast", "validate fast.json",
        "run -s fast -n 1 -w yield:fibers=1,yields=1", "top --once --interval 10ms"}) {
    const Finished run = Shell("$T " + std::string(command) + " > /dev/full");
    EXPECT_EQ(run.code, 2) << command;
    EXPECT_EQ(run.error, "error: cannot write standard output: No space left on device\n")
        << command;
  }
}

TEST(Stdout, ThatIsNoLongerReadEndsTheToolQuietly) {
  // The reader reads nothing and is gone when the tool begins: `wait` returns when it has ended.
  const Finished run = Shell(
      "fifo=$(mktemp -u); mkfifo $fifo; : < $fifo & exec 3> $fifo; rm $fifo; wait $!; $T list >&3");
  EXPECT_EQ(run.code, 0);
  EXPECT_EQ(run.error, "");
  const Finished head = Shell("{ $T list; echo $? >&2; } | head -n 1");
  EXPECT_EQ(head.out, "schedulers\n");
  EXPECT_EQ(head.error, "0\n");
}

TEST(Stdout, ThatIsClosedIsAnError) {
  const Finished run = Shell("$T list >&-");
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.error, "error: cannot write standard output: Bad file descriptor\n");
}

TEST(Stderr, ThatIsFullChangesNothing) {
  EXPECT_EQ(Shell("$T rnu 2> /dev/full").code, 2);
  EXPECT_EQ(Shell("$T rnu 2>&-").code, 2);
}

}  // namespace

}  // namespace schedbench::tests::streams_test
