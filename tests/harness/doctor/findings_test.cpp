#include "harness/doctor/findings.hpp"

#include "tests/support/fake_machine.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::harness::findings_test {

namespace {

const registry::BuildInfo kGoodBuild{.version = "1",
                                     .revision = "0123456789abcdef",
                                     .modified = false,
                                     .compiler = "GNU 12",
                                     .build_type = "Release",
                                     .flags = "",
                                     .sanitizer = "none",
                                     .allocator = "mimalloc",
                                     .context_switch = "inline",
                                     .boost_version = "",
                                     .fmt_version = ""};

// A quiet machine, of which each test changes one thing.
class DoctorTest : public testing::Test {
 protected:
  DoctorTest() {
    machine_.WriteQuiet();
  }

  std::vector<Finding> All() const {
    return Judge(ReadFacts(machine_.Files(), before_), build_);
  }

  Finding Of(std::string_view topic) const {
    const std::vector<Finding> all = All();
    const auto found = std::ranges::find(all, topic, &Finding::topic);
    return found == all.end() ? Finding{Severity::kFail, "no such topic", "", ""} : *found;
  }

  void Expect(std::string_view topic, Severity severity, bool too_noisy, std::string_view text,
              std::string_view remedy) const {
    const Finding finding = Of(topic);
    EXPECT_EQ(ToText(finding.severity), ToText(severity)) << topic << ": " << finding.text;
    EXPECT_EQ(finding.too_noisy, too_noisy) << topic;
    EXPECT_NE(finding.text.find(text), std::string::npos) << topic << ": " << finding.text;
    EXPECT_NE(finding.remedy.find(remedy), std::string::npos) << topic << ": " << finding.remedy;
    EXPECT_EQ(finding.remedy.empty(), severity == Severity::kOk) << topic;
  }

  tests::FakeMachine machine_;
  ActivityReading before_;
  registry::BuildInfo build_ = kGoodBuild;
};

TEST_F(DoctorTest, NothingIsWrongWithAQuietMachine) {
  for (const Finding& finding : All()) {
    EXPECT_EQ(ToText(finding.severity), "ok") << finding.topic << ": " << finding.text;
    EXPECT_EQ(finding.remedy, "") << finding.topic;
  }
  EXPECT_FALSE(AnyConcern(All()));
}

TEST_F(DoctorTest, AMachineThatReportsNothingIsNotRefused) {
  machine_.Remove("/proc");
  machine_.Remove("/sys");
  EXPECT_EQ(All().size(), 19U);
  for (const Finding& finding : All()) {
    EXPECT_NE(finding.severity, Severity::kFail) << finding.topic << ": " << finding.text;
    EXPECT_EQ(finding.remedy.empty(), finding.severity == Severity::kOk) << finding.topic;
  }
  EXPECT_FALSE(AnyConcern(All()));
}

// Whatever the files hold, nothing is made up of it.
TEST_F(DoctorTest, NonsenseIsAsGoodAsNothing) {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(machine_.Root())) {
    if (entry.is_regular_file()) {
      files.push_back(entry.path().string().substr(machine_.Root().size()));
    }
  }
  ASSERT_GT(files.size(), 20U);
  for (const char* const nonsense :
       {"", "x", "-", "[", "] [", "a b c d e f g h i j k", "999999999999999999999999", "1e999",
        "cpu 1 2 3 x 5 6 7 8\ncpu0", "0:::", ":", "some avg10=nan", "max", ") ( ("}) {
    for (const std::string& file : files) {
      const std::string right = machine_.Files().Read(file).value_or("");
      machine_.Write(file, nonsense);
      for (const Finding& finding : All()) {
        EXPECT_EQ(finding.remedy.empty(), finding.severity == Severity::kOk)
            << file << " '" << nonsense << "': " << finding.topic;
      }
      machine_.Write(file, right);
    }
  }
}

TEST_F(DoctorTest, VirtualMachine) {
  machine_.Write("/proc/cpuinfo", "model name: x\nflags\t\t: fpu hypervisor");
  machine_.Write("/sys/class/dmi/id/sys_vendor", "QEMU");
  machine_.Write("/sys/class/dmi/id/product_name", "Standard PC");
  Expect("virtual", Severity::kWarn, false, "(QEMU Standard PC)", "compare --blocks 40");
}

TEST_F(DoctorTest, OneCpuOfTwo) {
  machine_.Write("/proc/self/status", "Cpus_allowed_list:\t1");
  Expect("cpus", Severity::kWarn, true, "1 of 2 CPUs allowed (1)", "taskset -c 0-1 ");
}

TEST_F(DoctorTest, SharedCores) {
  machine_.Write("/sys/devices/system/cpu/cpu0/topology/thread_siblings_list", "0-1");
  machine_.Write("/sys/devices/system/cpu/cpu1/topology/thread_siblings_list", "0-1");
  Expect("cores", Severity::kWarn, true, "1 of the cores", "taskset -c 0 ");
  // The other one is not ours.
  machine_.Write("/proc/self/status", "Cpus_allowed_list:\t0");
  Expect("cores", Severity::kOk, false, "", "");
}

TEST_F(DoctorTest, Frequency) {
  const std::string cpus = "/sys/devices/system/cpu/";
  machine_.Write(cpus + "cpu1/cpufreq/scaling_governor", "powersave");
  Expect("governor", Severity::kWarn, true, "performance, powersave",
         "echo performance | sudo tee");
  machine_.Write(cpus + "cpufreq/boost", "1");
  Expect("turbo", Severity::kWarn, false, "on", "echo 0 | sudo tee " + cpus + "cpufreq/boost");
  machine_.Write(cpus + "intel_pstate/no_turbo", "0");
  Expect("turbo", Severity::kWarn, false, "on",
         "echo 1 | sudo tee " + cpus + "intel_pstate/no_turbo");
  machine_.Remove(cpus + "cpufreq");
  machine_.Remove(cpus + "intel_pstate");
  machine_.Remove(cpus + "cpu0/cpufreq");
  machine_.Remove(cpus + "cpu1/cpufreq");
  Expect("governor", Severity::kWarn, false, "not visible", "compare");
  Expect("turbo", Severity::kWarn, false, "not visible", "compare");
}

TEST_F(DoctorTest, StealOverTheWindow) {
  before_ = ReadActivity(machine_.Files());
  machine_.Write("/proc/stat", "cpu  100 0 100 1199 0 0 0 1\ncpu0\ncpu1");
  Expect("steal", Severity::kWarn, true, "0.5 % of the CPU time", "vmstat");
  machine_.Write("/proc/stat", "cpu  100 0 100 1100 0 0 0 100\ncpu0\ncpu1");
  Expect("steal", Severity::kFail, true,
         "50.0 % of the CPU time went to others on the host in 1.0 s, 7.1 %", "vmstat");
}

TEST_F(DoctorTest, LoadOverTheWindow) {
  const auto stat = [](int ticks) {
    return "20 (a (b) c) R 1 2 3 4 5 6 7 8 9 10 " + std::to_string(ticks) + " 5 0";
  };
  machine_.Write("/proc/20/stat", stat(100));
  before_ = ReadActivity(machine_.Files());
  machine_.Write("/proc/stat", "cpu  104 0 100 1196\ncpu0\ncpu1");  // too few columns
  Expect("load", Severity::kOk, false, "load average 0.10", "");
  machine_.Write("/proc/stat", "cpu  104 0 100 1196 0 0 0 0\ncpu0\ncpu1");
  machine_.Write("/proc/20/stat", stat(102));
  Expect("load", Severity::kOk, false, "no other process above 2 %", "");
  machine_.Write("/proc/20/stat", stat(104));
  Expect("load", Severity::kWarn, true, "a (b) c 4.0 %", "top -b");
  machine_.Write("/proc/stat", "cpu  200 0 100 1100 0 0 0 0\ncpu0\ncpu1");
  Expect("load", Severity::kFail, true, "others used 1.00 CPUs", "top -b");
  machine_.Remove("/proc/20");
  Expect("load", Severity::kFail, true, "not visible here", "top -b");
}

TEST_F(DoctorTest, LoadIsNotThatOfItsOwnChildren) {
  machine_.Write("/proc/self/stat", "7 (schedbench) R 1 7 0 0 0 0 0 0 0 0 5 5 0");
  machine_.Write("/proc/20/stat", "20 (hog) R 7 7 0 0 0 0 0 0 0 0 100 5 0");
  before_ = ReadActivity(machine_.Files());
  machine_.Write("/proc/stat", "cpu  200 0 100 1100 0 0 0 0\ncpu0\ncpu1");
  machine_.Write("/proc/20/stat", "20 (hog) R 7 7 0 0 0 0 0 0 0 0 150 5 0");
  Expect("load", Severity::kFail, true, "not visible here", "top -b");
  machine_.Write("/proc/20/stat", "20 (hog) R 8 7 0 0 0 0 0 0 0 0 150 5 0");
  Expect("load", Severity::kFail, true, "hog", "top -b");
}

TEST_F(DoctorTest, LoadWithoutAWindow) {
  machine_.Write("/proc/loadavg", "1.50 0 0 3/80 1");
  Expect("load", Severity::kWarn, true, "load average 1.50, 3 running now", "top -b");
}

TEST_F(DoctorTest, QuotaOfAGroupAboveInTheSecondVersion) {
  machine_.Write("/sys/fs/cgroup/a/cpu.max", "150000 100000");
  Expect("quota", Severity::kFail, true, "1.50 CPUs to 2",
         "docker run --cpus 2, or a larger number in /sys/fs/cgroup/a/cpu.max");
  machine_.Write("/sys/fs/cgroup/a/cpu.max", "300000 100000");
  Expect("quota", Severity::kOk, false, "3.00 CPUs", "");
  machine_.Write("/sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 4");
  Expect("quota", Severity::kWarn, true, "stopped 4 times so far", "docker run");
  before_ = ReadActivity(machine_.Files());
  machine_.Write("/sys/fs/cgroup/a/b/cpu.stat", "nr_throttled 5");
  Expect("quota", Severity::kFail, true, "stopped 5 times so far", "docker run");
}

TEST_F(DoctorTest, QuotaInTheFirstVersionWhereThePathIsTheHosts) {
  machine_.Remove("/sys/fs/cgroup");
  machine_.Write("/proc/self/cgroup", "5:memory:/m\n4:cpu,cpuacct:/docker/1\n0::/");
  machine_.Write("/proc/self/mountinfo",
                 "40 30 0:30 /docker/1 /sys/fs/cgroup/cpu,cpuacct rw - cgroup c rw,cpu,cpuacct");
  machine_.Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "50000");
  machine_.Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000");
  Expect("quota", Severity::kFail, true, "0.50 CPUs to 2",
         "docker run --cpus 2, or a larger number in "
         "/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us");
  machine_.Write("/sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1");
  Expect("quota", Severity::kOk, false, "no limit", "");
}

TEST(Restrictions, ReplaceWhatIsFineAndLeaveWhatIsWorse) {
  std::vector<Finding> findings{
      Ok("perf events", "perf_event_paranoid=1"),
      Concern(Severity::kFail, "quota", "a cgroup allows the time of 0.50 CPUs", "echo max")};
  AddRestrictions({{"perf events", "no perf events", "docker run --cap-add PERFMON"},
                   {"quota", "a cgroup", "docker run --cpus 2"},
                   {"membarrier", "membarrier(2) is refused", "docker run"}},
                  findings);
  ASSERT_EQ(findings.size(), 3U);
  EXPECT_EQ(findings[0].text, "no perf events");
  EXPECT_EQ(findings[0].severity, Severity::kWarn);
  EXPECT_EQ(findings[1].remedy, "echo max");
  EXPECT_EQ(findings[2].topic, "membarrier");
}

TEST_F(DoctorTest, Memory) {
  machine_.Write("/proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 1023 kB");
  Expect("swap", Severity::kWarn, false, "2 MiB", "swapoff");
  before_ = ReadActivity(machine_.Files());
  machine_.Write("/proc/vmstat", "pswpin 6\npswpout 9");
  Expect("swap", Severity::kFail, true, "3 pages", "ps axo");
  machine_.Write("/proc/pressure/memory", "some avg10=12.50 avg60=9.00\nfull avg10=0.00");
  Expect("memory", Severity::kWarn, true, "12.5 %", "ps axo");
  machine_.Write("/sys/kernel/mm/transparent_hugepage/enabled", "[always] madvise never");
  Expect("huge pages", Severity::kWarn, false, "always", "echo madvise | sudo tee");
}

TEST_F(DoctorTest, Kernel) {
  const std::string clocks = "/sys/devices/system/clocksource/clocksource0/";
  machine_.Write(clocks + "current_clocksource", "hpet");
  Expect("clock", Severity::kFail, true, "hpet", "echo tsc | sudo tee");
  machine_.Write(clocks + "available_clocksource", "hpet");
  Expect("clock", Severity::kFail, true, "hpet", "dmesg");
  machine_.Write("/proc/self/timerslack_ns", "1000000");
  Expect("timer slack", Severity::kWarn, false, "1000 us", "echo 50000 > /proc/$$/timerslack_ns");
  machine_.Write("/proc/sys/kernel/perf_event_paranoid", "-1");
  Expect("perf events", Severity::kOk, false, "=-1", "");
  machine_.Write("/proc/sys/kernel/perf_event_paranoid", "3");
  Expect("perf events", Severity::kWarn, false, "=3", "sudo sysctl");
  machine_.Remove("/sys/bus");
  Expect("counters", Severity::kWarn, false, "no hardware counters", "dmesg");
  machine_.Write("/proc/cpuinfo", "x\nflags : hypervisor");
  Expect("counters", Severity::kWarn, false, "does not provide them", "pmu=on");
  machine_.Write("/proc/sys/kernel/randomize_va_space", "0");
  Expect("addresses", Severity::kOk, false, "the same in each process", "");
}

TEST_F(DoctorTest, Build) {
  build_.modified = true;
  Expect("revision", Severity::kWarn, false, "0123456789ab with changes", "make build");
  build_.revision = "unknown";
  Expect("revision", Severity::kWarn, false, "unknown", "git clone");
  build_.build_type = "Debug";
  Expect("build", Severity::kFail, true, "type 'Debug'", "make build");
  build_.sanitizer = "thread";
  Expect("build", Severity::kFail, true, "thread sanitizer", "make build");
}

}  // namespace

}  // namespace schedbench::harness::findings_test
