#include "tests/cli/process.hpp"
#include "tests/support/requirements.hpp"
#include "tests/support/stress.hpp"
#include "tests/support/tier.hpp"

#include <fmt/core.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <ostream>
#include <sstream>
#include <string>
#include <vector>

// One call of a system call fails in each run, until there are no more. In the full tier every
// second call has its turn, in the quick tier every fifth; the seed chooses the second one.
// Whatever the call was for, the tool ends by itself with a code that is documented, says why, and
// leaves the file that it was to write whole.

namespace schedbench::tests {

namespace {

struct Fault {
  const char* call;
  const char* error;
  const char* guard;  // stacks.guard: how guard pages are made
};

// In the name of the test.
std::ostream& operator<<(std::ostream& out, const Fault& fault) {
  return out << fault.call << ' ' << fault.error << ", guards by " << fault.guard;
}

std::string NameOf(const testing::TestParamInfo<Fault>& info) {
  return fmt::format("{}_{}_{}", info.param.call, info.param.error, info.param.guard);
}

class FaultySystemCall : public testing::TestWithParam<Fault> {
 protected:
  void SetUp() override {
    SCHEDBENCH_REQUIRE_TRACE();
  }

  // strace counts in each thread for itself, so that the N-th call of all threads fails.
  Finished RunWithFault(int n) const {
    std::vector<std::string> command{
        "timeout", "--signal=KILL", "60", "strace",
        "-f",      "-qq",           "-o", folder_.Path() + "/../" + TraceName()};
    std::string traced = fmt::format("trace={},rt_sigaction", GetParam().call);
    if (std::string_view(GetParam().call) == "madvise") {
      // Without the call for several guards at a time, each guard is a call of madvise.
      traced += ",process_madvise";
      command.insert(command.end(), {"-e", "inject=process_madvise:error=ENOSYS"});
    }
    command.insert(command.end(),
                   {"-e", traced, "-e",
                    fmt::format("inject={}:error={}:when={}", GetParam().call, GetParam().error, n),
                    SCHEDBENCH_BINARY, "run", "-s", "fast", "--set", "workers=2", "--set",
                    fmt::format("stacks.guard={}", GetParam().guard), "-w", "million:fibers=200",
                    "-n", "2", "-q", "-o", folder_.Path() + "/result.json"});
    return Execute(std::move(command));
  }

  // Returns where the line of the first fault begins; npos: the call did not come.
  static std::size_t FirstFault(const std::string& trace) {
    std::size_t begin = 0;
    for (std::size_t end = 0; (end = trace.find('\n', begin)) != std::string::npos;
         begin = end + 1) {
      const std::string line = trace.substr(begin, end - begin);
      const bool other_call = std::string_view(GetParam().call) == "madvise" &&
                              line.find("process_madvise") != std::string::npos;
      if (!other_call && line.find("(INJECTED)") != std::string::npos) {
        return begin;
      }
    }
    return std::string::npos;
  }

  std::string TraceName() const {
    return std::filesystem::path(folder_.Path()).filename().string() + ".trace";
  }

  std::string Trace() const {
    std::ostringstream text;
    text << std::ifstream(folder_.Path() + "/../" + TraceName()).rdbuf();
    return text.str();
  }

  ~FaultySystemCall() override {
    std::filesystem::remove(folder_.Path() + "/../" + TraceName());
  }

  // Processes that have the folder of this test on their command line.
  int Orphans() const {
    int count = 0;
    for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
      std::ostringstream words;
      words << std::ifstream(entry.path() / "cmdline").rdbuf();
      count += words.str().find(folder_.Path()) == std::string::npos ? 0 : 1;
    }
    return count;
  }

  const ScratchFolder folder_;
};

// The tool's first act. Before it, the dynamic loader and the C library fail in their own ways.
// That hides the workers' first calls as well, of mmap the first thirty or so: memory.cpp makes
// those fail.
constexpr const char* kFirstAct = "rt_sigaction(SIGPIPE";

TEST_P(FaultySystemCall, EndsTheRunCleanlyWhicheverCallItIs) {
  constexpr int kMost = 300;
  const int step = QuickOrFull(5, 2);
  const int second = 1 + static_cast<int>(Seed() % static_cast<std::uint64_t>(step));
  int faults = 0;
  int refused_guards = 0;
  for (int n = 1; n <= kMost; n += faults == 0 ? 1 : faults == 1 ? second : step) {
    folder_.Write("result.json", "former");
    const Finished run = RunWithFault(n);
    const std::string trace = Trace();
    const std::size_t injected = FirstFault(trace);
    if (injected == std::string::npos) {
      EXPECT_EQ(run.code, 0) << run.error;
      EXPECT_GT(faults, 0) << "the call never came";
      EXPECT_EQ(refused_guards > 0, std::string_view(GetParam().guard) == "madvise");
      return;
    }
    const std::string what = fmt::format("call {}: code {}: {}", n, run.code, run.error);
    const std::string file = folder_.Read("result.json");
    EXPECT_TRUE(file == "former" || nlohmann::json::accept(file)) << what << "\ntorn: " << file;
    EXPECT_EQ(folder_.Names(), std::vector<std::string>{"result.json"}) << what;
    EXPECT_EQ(Orphans(), 0) << what;
    if (injected < trace.find(kFirstAct)) {
      continue;
    }
    ++faults;
    refused_guards += run.error.find("guard pages by madvise need") == std::string::npos ? 0 : 1;
    EXPECT_TRUE(run.code == 0 || run.code == 2) << what;
    if (run.code != 0) {
      EXPECT_TRUE(run.error.starts_with("error: ")) << what;
      EXPECT_GT(run.error.size(), 10U) << what;
    } else {
      EXPECT_EQ(nlohmann::json::parse(file)["complete"], true) << what;
    }
  }
  ADD_FAILURE() << "the call still came after " << kMost << " times";
}

// futex is not here: strace fails the whole call, and a wake that is not made is a fault that no
// kernel has. That a wait may return at any time is the matter of tests/fault.
INSTANTIATE_TEST_SUITE_P(
    Faults, FaultySystemCall,
    testing::Values(Fault{"mmap", "ENOMEM", "auto"}, Fault{"madvise", "ENOMEM", "auto"},
                    Fault{"madvise", "EINVAL", "madvise"},
                    Fault{"process_madvise", "EBADF", "auto"},
                    Fault{"mprotect", "ENOMEM", "mprotect"}, Fault{"clone3", "EAGAIN", "auto"},
                    Fault{"write", "ENOSPC", "auto"}, Fault{"write", "EINTR", "auto"},
                    Fault{"fsync", "EIO", "auto"}, Fault{"rename", "EIO", "auto"},
                    Fault{"openat", "EMFILE", "auto"}, Fault{"close", "EIO", "auto"},
                    Fault{"close", "EINTR", "auto"}, Fault{"eventfd2", "EMFILE", "auto"}),
    NameOf);

}  // namespace

}  // namespace schedbench::tests
