#include "harness/machine/cgroup.hpp"

#include "base/text.hpp"
#include "harness/machine/text.hpp"

#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

constexpr std::string_view kMount = "/sys/fs/cgroup";

// A group and those above it up to the mount: a limit of each holds. In a container the path may be that of the host, of which
// only the mount is to be seen.
void AddGroups(std::string_view mount, std::string_view path, std::vector<std::string>& folders) {
  while (path.size() > 1) {
    folders.push_back(std::string(mount) + std::string(path));
    path = path.substr(0, path.rfind('/'));
  }
  folders.emplace_back(mount);
}

bool HasController(std::string_view controllers, std::string_view name) {
  while (!controllers.empty()) {
    if (TakePart(controllers, ',') == name) {
      return true;
    }
  }
  return false;
}

// The groups of this process that have a say about CPU time, by /proc/self/cgroup: "0::/path", "4:cpu,cpuacct:/path".
std::vector<std::string> CpuGroups(const platform::MachineFiles& files) {
  std::vector<std::string> folders;
  const std::string text = files.Read("/proc/self/cgroup").value_or("");
  for (std::string_view rest = text; !rest.empty();) {
    const std::string_view line = TakePart(rest, '\n');
    const std::size_t first = line.find(':');
    const std::size_t second = first == std::string_view::npos ? first : line.find(':', first + 1);
    if (second == std::string_view::npos) {
      continue;
    }
    const std::string_view controllers = line.substr(first + 1, second - first - 1);
    const std::string_view path = line.substr(second + 1);
    if (controllers.empty()) {
      AddGroups(kMount, path, folders);
      AddGroups(std::string(kMount) + "/unified", path, folders);
    } else if (HasController(controllers, "cpu")) {
      // Often there is a link as well.
      const std::string mount = std::string(kMount) + "/" + std::string(controllers);
      AddGroups(files.Has(mount) ? mount : std::string(kMount) + "/cpu", path, folders);
    }
  }
  return folders;
}

std::optional<double> Share(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// What one group says. Nothing where it has no such controller.
std::optional<CpuLimit> LimitOf(const platform::MachineFiles& files, const std::string& folder) {
  if (const auto text = files.Read(folder + "/cpu.max")) {
    const auto words = WordsOf(*text);  // "150000 100000", "max 100000"
    CpuLimit limit{.cpus = {}, .file = folder + "/cpu.max", .second_version = true};
    if (words.size() == 2) {
      limit.cpus = Share(WholeNumber(words[0]), WholeNumber(words[1]));
    }
    return limit;
  }
  const auto quota = files.Read(folder + "/cpu.cfs_quota_us");
  const auto period = files.Read(folder + "/cpu.cfs_period_us");
  if (!quota || !period) {
    return std::nullopt;
  }
  return CpuLimit{.cpus = Share(WholeNumber(quota), WholeNumber(period)),
                  .file = folder + "/cpu.cfs_quota_us",
                  .second_version = false};
}

}  // namespace

std::optional<CpuLimit> ReadCpuLimit(const platform::MachineFiles& files) {
  std::optional<CpuLimit> tightest;
  for (const std::string& folder : CpuGroups(files)) {
    auto limit = LimitOf(files, folder);
    if (limit &&
        (!tightest || (limit->cpus && (!tightest->cpus || *limit->cpus < *tightest->cpus)))) {
      tightest = std::move(limit);
    }
  }
  return tightest;
}

std::optional<std::int64_t> ReadThrottled(const platform::MachineFiles& files) {
  std::optional<std::int64_t> sum;
  for (const std::string& folder : CpuGroups(files)) {
    const auto text = files.Read(folder + "/cpu.stat");
    if (const auto count = text ? WholeNumber(ValueOf(*text, "nr_throttled")) : std::nullopt) {
      sum = sum.value_or(0) + *count;
    }
  }
  return sum;
}

}  // namespace schedbench::harness
