#include "tests/container/confined.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <ostream>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

// Each command in each environment: it succeeds, and names once what is missing.

namespace schedbench::tests {

namespace {

struct Environment {
  const char* name;
  std::vector<std::string> options;
  std::vector<std::string> notes;  // that each result has once
};

constexpr const char* kNoPerf = "no perf events (perf_event_open: ";
constexpr const char* kNoBarrier = "membarrier(2) is refused";
constexpr const char* kQuota = "a cgroup allows the time of 0.50 CPUs: by default 1 worker, ";
constexpr const char* kOneCpu = "CPUs is allowed: nothing runs in parallel";
constexpr const char* kMemory = "a cgroup allows 268 MB of memory";
constexpr const char* kNoProcSys = "/proc/sys cannot be read";
constexpr const char* kNoRing = "io_uring is not available (";

constexpr std::array<std::string_view, 7> kNotes{kNoPerf, kNoBarrier, kQuota, kOneCpu,
                                                 kMemory, kNoProcSys, kNoRing};

constexpr const char* kReadOnly = "--read-only=";  // the folder of the test follows

// What a scheduler, an allocator or the C library could ask for. None of it is needed.
constexpr const char* kOtherCalls =
    "sched_setaffinity,sched_setscheduler,setpriority,set_mempolicy,memfd_create,process_vm_readv,"
    "ptrace,personality,timer_create,rseq,statx,pidfd_open,close_range,getcpu,userfaultfd,"
    "process_madvise";

std::vector<Environment> Environments() {
  const std::string calls = "--deny=perf_event_open,io_uring_setup,membarrier";
  const std::vector<std::string> together{"--no-proc-sys", calls,     "--quota=50",  "--one-cpu",
                                          "--memory=256",  kReadOnly, "--user=65534"};
  std::vector<std::string> with_enosys = together;
  with_enosys.emplace_back("--deny-with=ENOSYS");
  const std::vector<std::string> all{kNoPerf, kNoBarrier, kQuota, kOneCpu, kMemory, kNoProcSys};
  std::vector<Environment> some{
      {"no_proc_sys", {"--no-proc-sys"}, {kNoProcSys}},
      {"no_perf", {"--deny=perf_event_open"}, {kNoPerf}},
      {"no_ring", {"--deny=io_uring_setup"}, {}},
      {"no_membarrier", {"--deny=membarrier"}, {kNoBarrier}},
      {"half_a_cpu", {"--quota=50"}, {kQuota}},
      {"one_cpu", {"--one-cpu"}, {kOneCpu}},
      {"little_memory", {"--memory=256"}, {kMemory}},
      {"read_only", {kReadOnly}, {}},
      {"user", {"--user=65534"}, {}},
      {"all", together, all},
      {"all_enosys", with_enosys, all},
      {"other_calls", {std::string("--deny=") + kOtherCalls}, {}},
  };
  if (FullTier()) {
    some.push_back({"no_perf_enosys", {"--deny=perf_event_open", "--deny-with=ENOSYS"}, {kNoPerf}});
    some.push_back({"no_ring_enosys", {"--deny=io_uring_setup", "--deny-with=ENOSYS"}, {}});
    some.push_back(
        {"no_membarrier_enosys", {"--deny=membarrier", "--deny-with=ENOSYS"}, {kNoBarrier}});
    some.push_back({"other_calls_enosys",
                    {std::string("--deny=clone3,") + kOtherCalls, "--deny-with=ENOSYS"},
                    {}});
  }
  return some;
}

void PrintTo(const Environment& environment, std::ostream* out) {
  *out << environment.name;
}

struct Command {
  const char* name;
  std::vector<std::string> arguments;
  bool uses_ring = false;
};

void PrintTo(const Command& command, std::ostream* out) {
  *out << command.name;
}

std::vector<Command> Commands() {
  const std::vector<std::string> small{"-w", "yield:fibers=2,yields=100", "-n", "2", "-q"};
  const auto with = [](std::vector<std::string> first, const std::vector<std::string>& rest) {
    first.insert(first.end(), rest.begin(), rest.end());
    return first;
  };
  const std::vector<std::string> ring{
      "run", "-s", "fast", "--set", "netpoll=uring", "--set", "blocking=hand_off",
      "-n",  "2",  "-q",   "-w"};
  std::vector<Command> some{
      {"run", with(ring, {"file_vs_net:connections=2,messages=20,writers=2,blocks=5"}), true},
      {"compare",
       {"compare", "fast", "work_stealing", "global_fifo", "thread_per_task", "-w",
        "yield:fibers=2,yields=100", "-n", "1", "-b", "1", "--metric", "throughput", "-q"}},
      {"profile", with({"profile", "-o", "profile"}, small)},
      {"trace", with({"trace", "-o", "t.pftrace", "-o", "t.json", "--summary"}, small)},
  };
  if (FullTier()) {
    for (const char* const scheduler :
         {"fast", "work_stealing", "global_fifo", "thread_per_task"}) {
      some.push_back({scheduler, with({"run", "-s", scheduler}, small)});
    }
    some.push_back({"echo", with(ring, {"echo:connections=2,messages=20"}), true});
    some.push_back(
        {"compare_rings",
         {"compare", "a=fast:netpoll=uring", "b=fast:netpoll=epoll", "-w",
          "echo:connections=2,messages=20", "-n", "1", "-b", "1", "--metric", "throughput", "-q"}});
    some.push_back({"sampled", with({"run", "--perf", "p.txt"}, small)});
    some.push_back({"traced", with({"run", "--trace", "t.json"}, small)});
  }
  return some;
}

class Container : public testing::TestWithParam<std::tuple<Environment, Command>> {};

TEST_P(Container, RunsACommandWhichNamesOnceWhatIsMissing) {
  const auto& [environment, command] = GetParam();
  const SharedFolder folder;
  std::vector<std::string> options{"--env=TMPDIR=" + folder.Path()};
  bool has_ring = true;
  for (const std::string& option : environment.options) {
    options.push_back(option == kReadOnly ? option + folder.Path() : option);
    has_ring = has_ring && option.find("io_uring_setup") == std::string::npos;
  }
  std::vector<std::string_view> expected(environment.notes.begin(), environment.notes.end());
  if (command.uses_ring && !has_ring) {
    expected.push_back(kNoRing);
  }
  const Finished run = Confined(options, command.arguments, folder);
  SCHEDBENCH_REQUIRE_CONFINED(run);
  EXPECT_EQ(run.code, 0) << run.error;
  const std::string said = run.out + run.error;
  for (const std::string_view note : kNotes) {
    const std::size_t count = CountOf(note, said);
    EXPECT_LE(count, 1U) << note << "\n" << said;
    EXPECT_TRUE(count == 1 || std::ranges::find(expected, note) == expected.end()) << note << "\n"
                                                                                   << said;
  }
}

INSTANTIATE_TEST_SUITE_P(Every, Container,
                         testing::Combine(testing::ValuesIn(Environments()),
                                          testing::ValuesIn(Commands())),
                         [](const auto& info) {
                           return std::string(std::get<0>(info.param).name) + "_" +
                                  std::get<1>(info.param).name;
                         });

}  // namespace

}  // namespace schedbench::tests
