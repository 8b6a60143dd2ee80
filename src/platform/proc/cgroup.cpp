#include "platform/proc/cgroup.hpp"

#include "base/text.hpp"
#include "platform/proc/text.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::platform {

namespace {

bool HasPart(std::string_view list, std::string_view part) {
  while (!list.empty()) {
    if (TakePart(list, ',') == part) {
      return true;
    }
  }
  return false;
}

// The mount point of a hierarchy of groups, from /proc/self/mountinfo: "36 35 98:0 /docker/1
// /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu". A container sees only the part below the root.
struct Mount {
  std::string_view root;
  std::string_view point;
};

// `controller`: "" for the second version of the interface.
std::vector<Mount> MountsWith(std::string_view mounts, std::string_view controller) {
  constexpr std::size_t kRoot = 3;
  std::vector<Mount> found;
  while (!mounts.empty()) {
    const std::string_view line = TakePart(mounts, '\n');
    const std::size_t dash = line.find(" - ");
    const auto words = WordsOf(line.substr(0, dash));
    const auto types =
        WordsOf(dash == std::string_view::npos ? std::string_view() : line.substr(dash + 3));
    if (words.size() > kRoot + 1 && types.size() == 3 &&
        (controller.empty() ? types[0] == "cgroup2"
                            : types[0] == "cgroup" && HasPart(types[2], controller))) {
      found.push_back({.root = words[kRoot] == "/" ? "" : words[kRoot], .point = words[kRoot + 1]});
    }
  }
  return found;
}

// Returns the folders of this process's groups with that controller: its own group first, then
// those above it, whose limits count too. /proc/self/cgroup has "0::/path" or
// "4:cpu,cpuacct:/path".
std::vector<std::string> GroupsOf(const MachineFiles& files, std::string_view controller) {
  std::vector<std::string> folders;
  const std::string mounts = files.Read("/proc/self/mountinfo").value_or("");
  const std::string groups = files.Read("/proc/self/cgroup").value_or("");
  for (std::string_view rest = groups; !rest.empty();) {
    std::string_view path = TakePart(rest, '\n');
    TakePart(path, ':');
    const std::string_view controllers = TakePart(path, ':');
    if (!controllers.empty() && !HasPart(controllers, controller)) {
      continue;
    }
    for (const Mount& mount : MountsWith(mounts, controllers.empty() ? "" : controller)) {
      // The path of a process that was moved out of its container is not below the root.
      std::string_view below = path.starts_with(mount.root) ? path.substr(mount.root.size()) : "";
      below = below.starts_with('/') ? below : "";
      for (; below.size() > 1; below = below.substr(0, below.rfind('/'))) {
        folders.push_back(std::string(mount.point) + std::string(below));
      }
      folders.emplace_back(mount.point);
    }
  }
  std::vector<std::string> known;
  for (std::string& folder : folders) {
    if (std::ranges::find(known, folder) == known.end()) {
      known.push_back(std::move(folder));
    }
  }
  return known;
}

std::optional<double> Share(std::optional<std::int64_t> quota, std::optional<std::int64_t> period) {
  if (!quota || !period || *quota <= 0 || *period <= 0) {
    return std::nullopt;
  }
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

// Returns the limit of one group, or nothing if it does not have a CPU controller.
std::optional<CpuLimit> LimitOf(const MachineFiles& files, const std::string& folder) {
  if (const auto text = files.Read(folder + "/cpu.max")) {
    const auto words = WordsOf(*text);  // "150000 100000", "max 100000"
    CpuLimit limit{.cpus = {}, .file = folder + "/cpu.max"};
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
                  .file = folder + "/cpu.cfs_quota_us"};
}

}  // namespace

std::optional<CpuLimit> ReadCpuLimit(const MachineFiles& files) {
  std::optional<CpuLimit> tightest;
  for (const std::string& folder : GroupsOf(files, "cpu")) {
    auto limit = LimitOf(files, folder);
    if (limit &&
        (!tightest || (limit->cpus && (!tightest->cpus || *limit->cpus < *tightest->cpus)))) {
      tightest = std::move(limit);
    }
  }
  return tightest;
}

std::optional<std::int64_t> ReadThrottled(const MachineFiles& files) {
  std::optional<std::int64_t> sum;
  for (const std::string& folder : GroupsOf(files, "cpu")) {
    const auto text = files.Read(folder + "/cpu.stat");
    if (const auto count = text ? WholeNumber(ValueOf(*text, "nr_throttled")) : std::nullopt) {
      sum = sum.value_or(0) + *count;
    }
  }
  return sum;
}

std::optional<MemoryLimit> ReadMemoryLimit(const MachineFiles& files) {
  std::optional<MemoryLimit> tightest;
  for (const std::string& folder : GroupsOf(files, "memory")) {
    const bool second = files.Has(folder + "/memory.max");
    const std::string file = folder + (second ? "/memory.max" : "/memory.limit_in_bytes");
    // Without a limit, the file has the word "max", or a number that is too large.
    const auto limit = WholeNumber(files.Read(file));
    if (!limit) {
      continue;
    }
    const auto used =
        WholeNumber(files.Read(folder + (second ? "/memory.current" : "/memory.usage_in_bytes")))
            .value_or(0);
    // The kernel drops the cache of unused files before it refuses memory.
    const std::string parts = files.Read(folder + "/memory.stat").value_or("");
    const auto cache =
        WholeNumber(ValueOf(parts, second ? "inactive_file" : "total_inactive_file"));
    const std::int64_t taken = used - std::min(used, cache.value_or(0));
    const auto bytes = static_cast<std::uint64_t>(*limit);
    const auto free_bytes = static_cast<std::uint64_t>(*limit - std::min(*limit, taken));
    if (!tightest || bytes < tightest->bytes) {
      tightest = {
          .bytes = bytes, .free_bytes = tightest ? tightest->free_bytes : free_bytes, .file = file};
    }
    tightest->free_bytes = std::min(tightest->free_bytes, free_bytes);
  }
  return tightest;
}

std::int64_t ReadMemoryKills(const MachineFiles& files) {
  std::int64_t kills = 0;
  for (const std::string& folder : GroupsOf(files, "memory")) {
    for (const char* const name : {"/memory.events", "/memory.oom_control"}) {
      const std::string text = files.Read(folder + name).value_or("");
      kills += WholeNumber(ValueOf(text, "oom_kill")).value_or(0);
    }
  }
  return kills;
}

}  // namespace schedbench::platform
