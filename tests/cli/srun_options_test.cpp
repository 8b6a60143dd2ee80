// The options in --slurm, without a sweep.
#include "cli/flags/places.hpp"
#include "config/input_error.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::tests::srun_options_test {

namespace {

TEST(SrunOptions, TakeValuesInTheSameWordAndTheUsualOnesInTheNext) {
  config::Problems problems;
  EXPECT_EQ(cli::CheckSrunOptions({"-Q", "-w", "n1", "-K1", "--cpus-per-task", "2", "--nice", "-c2",
                                   "--bcast=/x", "-s"},
                                  "--slurm", problems),
            "n1");
  EXPECT_EQ(cli::CheckSrunOptions({"--nodelist", "n[1-2]", "-p", "debug"}, "--slurm", problems),
            "n[1-2]");
  EXPECT_EQ(cli::CheckSrunOptions({"-wn3"}, "--slurm", problems), "n3");
  EXPECT_TRUE(problems.empty());
}

TEST(SrunOptions, LeaveNoWordThatSrunWouldRun) {
  for (const std::string flag : {"--x11", "--bcast", "--compress", "--version", "--exact", "-K",
                                 "-s", "-I", "--nice", "--cpus-per", "--cpus-per-task=2"}) {
    config::Problems problems;
    cli::CheckSrunOptions({"-w", "n1", flag, "echo"}, "--slurm", problems);
    ASSERT_FALSE(problems.empty()) << flag;
    try {
      problems.ThrowIfAny();
    } catch (const config::InputError& error) {
      EXPECT_NE(std::string(error.what())
                    .find("'echo' cannot be used: srun would run it as the "
                          "program; if it is a value    --NAME=VALUE"),
                std::string::npos)
          << error.what();
    }
  }
}

}  // namespace

}  // namespace schedbench::tests::srun_options_test
