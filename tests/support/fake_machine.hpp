#pragma once

#include "platform/proc/machine_files.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedbench::tests {

// A folder that stands for the "/" of a machine, removed at the end.
class FakeMachine {
 public:
  FakeMachine()
      : root_((std::filesystem::temp_directory_path() / "schedbench-XXXXXX").string()) {
    if (::mkdtemp(root_.data()) == nullptr) {
      throw std::runtime_error("mkdtemp");
    }
    std::filesystem::create_directory(root_ + "/proc");
  }

  ~FakeMachine() {
    std::filesystem::remove_all(root_);
  }

  FakeMachine(const FakeMachine&) = delete;
  FakeMachine& operator=(const FakeMachine&) = delete;

  void Write(const std::string& path, std::string_view text) const {
    std::filesystem::create_directories(std::filesystem::path(root_ + path).parent_path());
    std::ofstream(root_ + path) << text << "\n";
  }

  void Remove(const std::string& path) const {
    std::filesystem::remove_all(root_ + path);
  }

  const std::string& Root() const {
    return root_;
  }
  platform::MachineFiles Files() const {
    return platform::MachineFiles(root_);
  }

  // Puts there a machine of two CPUs that disturbs nothing.
  void WriteQuiet() const {
    Write("/proc/cpuinfo", "processor\t: 0\nmodel name\t: A CPU\nflags\t\t: fpu tsc avx");
    Write("/proc/self/status", "Name:\tx\nCpus_allowed:\t3\nCpus_allowed_list:\t0-1");
    Write("/proc/self/stat", "10 (schedbench) R 1");
    Write("/proc/self/cgroup", "0::/a/b");
    Write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw");
    Write("/proc/self/timerslack_ns", "50000");
    Write("/proc/stat", "cpu  100 0 100 1000 0 0 0 0 0 0\ncpu0 50 0\ncpu1 50 0\nintr 5");
    Write("/proc/loadavg", "0.10 0.10 0.10 1/80 11206");
    Write("/proc/meminfo", "MemTotal: 1000 kB\nSwapTotal:  2048 kB\nSwapFree:  2048 kB");
    Write("/proc/vmstat", "pswpin 5\npswpout 7");
    Write("/proc/pressure/memory", "some avg10=0.00 avg60=9.00 avg300=0.00 total=0");
    Write("/proc/sys/kernel/perf_event_paranoid", "1");
    Write("/proc/sys/kernel/randomize_va_space", "2");
    const std::string cpus = "/sys/devices/system/cpu/";
    Write(cpus + "present", "0-1");
    for (const std::string cpu : {"0", "1"}) {
      const std::string folder = fmt::format("{}cpu{}", cpus, cpu);
      Write(folder + "/topology/thread_siblings_list", cpu);
      Write(folder + "/cpufreq/scaling_governor", "performance");
    }
    Write(cpus + "cpufreq/boost", "0");
    Write("/sys/fs/cgroup/a/b/cpu.max", "max 100000");
    Write("/sys/fs/cgroup/a/b/cpu.stat", "usage_usec 5\nnr_throttled 0");
    Write("/sys/bus/event_source/devices/cpu/type", "4");
    Write("/sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never");
    Write("/sys/devices/system/clocksource/clocksource0/current_clocksource", "tsc");
    Write("/sys/devices/system/clocksource/clocksource0/available_clocksource", "tsc hpet acpi_pm");
  }

 private:
  std::string root_;
};

}  // namespace schedbench::tests
