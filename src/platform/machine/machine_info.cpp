#include "platform/machine/machine_info.hpp"

#include "platform/machine/cpu_list.hpp"
#include "platform/threads/allowed_cpus.hpp"
#include "platform/threads/thread.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string_view>

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr const char* kUnknown = "unknown";

// Returns "Intel(R) ..." for "model name\t: Intel(R) ...".
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
    } else if (line.starts_with("CPU implementer")) {  // arm64 has only numbers
      info.cpu_model = "implementer " + ValueOf(line);
    } else if (line.starts_with("CPU part")) {
      info.cpu_model += ", part " + ValueOf(line);
    }
  }
}

std::uint64_t SystemValue(int name) {
  const long value = ::sysconf(name);
  return value < 0 ? 0 : static_cast<std::uint64_t>(value);
}

}  // namespace

std::optional<std::string> GovernorOf(const MachineFiles& files, int cpu) {
  return files.Read("/sys/devices/system/cpu/cpu" + std::to_string(cpu) +
                    "/cpufreq/scaling_governor");
}

std::optional<bool> HasHypervisor(const MachineFiles& files) {
  const auto text = files.Read("/proc/cpuinfo");
  const std::size_t flags = text ? text->find("\nflags") : std::string::npos;
  if (flags == std::string::npos) {
    return std::nullopt;
  }
  const std::string line = text->substr(flags, text->find('\n', flags + 1) - flags);
  return (line + " ").find(" hypervisor ") != std::string::npos;
}

std::string HostName() {
  utsname names{};
  return ::uname(&names) == 0 ? names.nodename : "";
}

MachineInfo ThisMachine() {
  MachineInfo info{};
  info.cpu_model = kUnknown;
  ReadCpuInfo(info);
  const MachineFiles files;
  info.virtualised = HasHypervisor(files).value_or(false);

  utsname system{};
  const bool named = ::uname(&system) == 0;
  info.architecture = named ? system.machine : kUnknown;
  info.kernel = named ? std::string(system.sysname) + " " + system.release : kUnknown;

  const std::vector<int> cpus = AllowedCpuNumbers();
  info.cpus_online = static_cast<std::uint32_t>(SystemValue(_SC_NPROCESSORS_ONLN));
  info.cpus_allowed = AllowedCpus();
  info.cpu_list = CpuListText(cpus);
  info.governor = cpus.empty() ? kUnknown : GovernorOf(files, cpus.front()).value_or(kUnknown);

  info.page_bytes = SystemValue(_SC_PAGESIZE);
  info.memory_bytes = SystemValue(_SC_PHYS_PAGES) * info.page_bytes;
  if (::getloadavg(info.load_average.data(), 3) != 3) {
    info.load_average = {};
  }
  info.restrictions = FindRestrictions();
  return info;
}

// ru_maxrss is only the second choice: after exec it includes the RAM of the process that forked.
std::uint64_t PeakResidentBytes() noexcept {
  std::array<char, 4096> status{};
  if (const int file = ::open("/proc/self/status", O_RDONLY | O_CLOEXEC); file >= 0) {
    const ssize_t length = ::read(file, status.data(), status.size() - 1);
    ::close(file);
    constexpr std::string_view kPeak = "VmHWM:";
    const std::string_view text(status.data(),
                                static_cast<std::size_t>(std::max(length, ssize_t{0})));
    if (const std::size_t at = text.find(kPeak); at != text.npos) {
      if (const auto kib = std::strtoull(status.data() + at + kPeak.size(), nullptr, 10); kib > 0) {
        return std::uint64_t{kib} * 1024U;
      }
    }
  }
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024U;  // Linux counts in KiB
}

}  // namespace schedbench::platform
