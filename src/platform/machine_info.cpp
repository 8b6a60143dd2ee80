#include "platform/machine_info.hpp"

#include "platform/thread.hpp"

#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string_view>
#include <vector>

#include <sched.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr const char* kUnknown = "unknown";

// "model name\t: Intel(R) ..." -> "Intel(R) ..."
std::string ValueOf(const std::string& line) {
  const std::size_t colon = line.find(':');
  const std::size_t start =
      colon == std::string::npos ? colon : line.find_first_not_of(" \t", colon + 1);
  return start == std::string::npos ? "" : line.substr(start);
}

void ReadCpuInfo(MachineInfo& info) {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line) && !line.empty();) {  // the first CPU of the list
    if (line.starts_with("model name")) {
      info.cpu_model = ValueOf(line);
    } else if (line.starts_with("flags")) {
      info.virtualised = (" " + ValueOf(line) + " ").find(" hypervisor ") != std::string::npos;
    }
  }
}

std::vector<int> AllowedCpus() {
  std::vector<int> cpus;
  cpu_set_t set;
  CPU_ZERO(&set);
  if (::sched_getaffinity(0, sizeof(set), &set) == 0) {
    for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
      if (CPU_ISSET(cpu, &set)) {
        cpus.push_back(cpu);
      }
    }
  }
  return cpus;
}

// {0, 1, 2, 5} -> "0-2,5"
std::string AsList(const std::vector<int>& cpus) {
  std::string list;
  for (std::size_t first = 0; first < cpus.size();) {
    std::size_t last = first;
    while (last + 1 < cpus.size() && cpus[last + 1] == cpus[last] + 1) {
      ++last;
    }
    list += list.empty() ? "" : ",";
    list += std::to_string(cpus[first]);
    if (last > first) {
      list += "-" + std::to_string(cpus[last]);
    }
    first = last + 1;
  }
  return list.empty() ? kUnknown : list;
}

std::string GovernorOf(int cpu) {
  std::ifstream file("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                     "/cpufreq/scaling_governor");
  std::string governor;
  return file >> governor ? governor : kUnknown;
}

std::uint64_t SystemValue(int name) {
  const long value = ::sysconf(name);
  return value < 0 ? 0 : static_cast<std::uint64_t>(value);
}

}  // namespace

MachineInfo ThisMachine() {
  MachineInfo info{};
  info.cpu_model = kUnknown;
  ReadCpuInfo(info);

  utsname system{};
  const bool named = ::uname(&system) == 0;
  info.architecture = named ? system.machine : kUnknown;
  info.kernel = named ? std::string(system.sysname) + " " + system.release : kUnknown;

  const std::vector<int> cpus = AllowedCpus();
  info.cpus_online = static_cast<std::uint32_t>(SystemValue(_SC_NPROCESSORS_ONLN));
  info.cpus_allowed = AvailableCpus();
  info.cpu_list = AsList(cpus);
  info.governor = cpus.empty() ? kUnknown : GovernorOf(cpus.front());

  info.page_bytes = SystemValue(_SC_PAGESIZE);
  info.memory_bytes = SystemValue(_SC_PHYS_PAGES) * info.page_bytes;
  if (::getloadavg(info.load_average.data(), 3) != 3) {
    info.load_average = {};
  }
  return info;
}

std::uint64_t PeakResidentBytes() noexcept {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;  // Linux counts in KiB
}

}  // namespace schedbench::platform
