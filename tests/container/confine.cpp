// confine OPTION... -- COMMAND...: runs a command with what a container takes away. It needs root.
//   --no-proc-sys         an empty folder is mounted over /proc/sys
//   --deny=CALL,...       a seccomp filter refuses these system calls with EPERM, as Docker does
//   --deny-with=ENOSYS    the same with ENOSYS, as older runtimes do
//   --quota=PERCENT       of one CPU, by a control group
//   --memory=MIB          by a control group
//   --one-cpu             the first allowed CPU
//   --read-only=FOLDER    no file system can be written, except this folder
//   --user=NUMBER         this user and group, without capabilities
//   --env=NAME=VALUE      a variable of the environment
// Exits with the code of the command, with 128 + the number of the signal that ended it, or with
// 125 and the reason on stderr where this machine cannot make such an environment.

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

constexpr int kCannot = 125;

[[noreturn]] void Refuse(const std::string& what) {
  std::cerr << "confine: " << what << ": " << std::strerror(errno) << '\n';
  std::exit(kCannot);
}

void Require(bool done, const std::string& what) {
  if (!done) {
    Refuse(what);
  }
}

struct Options {
  bool no_proc_sys = false;
  std::vector<std::string> denied{};
  int denied_with = EPERM;
  int quota_percent = 0;
  int memory_mib = 0;
  bool one_cpu = false;
  std::string writable{};
  int user = 0;
  std::vector<char*> command{};
};

Options Parse(int argc, char** argv) {
  Options options;
  int i = 1;
  for (; i < argc && std::string_view(argv[i]) != "--"; ++i) {
    const std::string word = argv[i];
    const std::size_t equals = std::min(word.find('='), word.size());
    const std::string name = word.substr(0, equals);
    const std::string value = equals < word.size() ? word.substr(equals + 1) : "";
    if (name == "--no-proc-sys") {
      options.no_proc_sys = true;
    } else if (name == "--deny") {
      for (std::size_t at = 0; at < value.size();) {
        const std::size_t end = std::min(value.find(',', at), value.size());
        options.denied.push_back(value.substr(at, end - at));
        at = end + 1;
      }
    } else if (name == "--deny-with") {
      options.denied_with = value == "ENOSYS" ? ENOSYS : EPERM;
    } else if (name == "--quota") {
      options.quota_percent = std::stoi(value);
    } else if (name == "--memory") {
      options.memory_mib = std::stoi(value);
    } else if (name == "--one-cpu") {
      options.one_cpu = true;
    } else if (name == "--read-only") {
      options.writable = value;
    } else if (name == "--user") {
      options.user = std::stoi(value);
    } else if (name == "--env") {
      const std::size_t end = value.find('=');
      ::setenv(value.substr(0, end).c_str(), value.substr(end + 1).c_str(), 1);
    } else {
      errno = EINVAL;
      Refuse(word);
    }
  }
  for (++i; i < argc; ++i) {
    options.command.push_back(argv[i]);
  }
  Require(!options.command.empty(), "no command");
  options.command.push_back(nullptr);
  return options;
}

void Write(const std::string& path, const std::string& text) {
  const int file = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  Require(file >= 0 && ::write(file, text.data(), text.size()) == std::ssize(text),
          path + " cannot be set to " + text);
  ::close(file);
}

// A group below the group of this process that has the controller, in version 1 of the interface or
// version 2.
class Group {
 public:
  Group() = default;

  explicit Group(const std::string& controller) {
    std::ifstream groups("/proc/self/cgroup");
    std::string parent;
    for (std::string line; std::getline(groups, line);) {  // "4:memory:/path"
      const std::size_t first = line.find(':');
      const std::size_t second = line.find(':', first + 1);
      const std::string names = line.substr(first + 1, second - first - 1);
      if (("," + names + ",").find("," + controller + ",") != std::string::npos) {
        parent = "/sys/fs/cgroup/" + controller + line.substr(second + 1);
      }
    }
    is_second_ = parent.empty();
    const std::string number = std::to_string(::getpid());
    if (is_second_) {
      // Below the root: any other group that has processes must not have groups with controllers.
      // One group for all controllers, because a process is in one.
      parent = "/sys/fs/cgroup";
      Write(parent + "/cgroup.subtree_control", "+" + controller);
      folder_ = parent + "/confined-" + number;
    } else {
      folder_ = parent + "/confined-" + controller + "-" + number;
    }
    const bool made = ::mkdir(folder_.c_str(), 0755) == 0 || (is_second_ && errno == EEXIST);
    Require(made, "no group " + folder_);
  }

  ~Group() {
    if (!folder_.empty()) {
      ::rmdir(folder_.c_str());
    }
  }

  Group(const Group&) = delete;
  Group& operator=(const Group&) = delete;
  Group(Group&& other) noexcept
      : folder_(std::exchange(other.folder_, "")),
        is_second_(other.is_second_) {
  }

  void Set(const std::string& name, const std::string& text) const {
    Write(folder_ + "/" + name, text);
  }

  // Moves the calling process into the group.
  void Enter() const {
    Write(folder_ + "/cgroup.procs", "0");
  }

  bool IsSecondVersion() const {
    return is_second_;
  }

 private:
  std::string folder_{};
  bool is_second_ = false;
};

std::vector<Group> MakeGroups(const Options& options) {
  std::vector<Group> groups;
  if (options.quota_percent > 0) {
    const Group& group = groups.emplace_back("cpu");
    const std::string quota = std::to_string(options.quota_percent * 1000);
    if (group.IsSecondVersion()) {
      group.Set("cpu.max", quota + " 100000");
    } else {
      group.Set("cpu.cfs_quota_us", quota);
    }
  }
  if (options.memory_mib > 0) {
    const Group& group = groups.emplace_back("memory");
    group.Set(group.IsSecondVersion() ? "memory.max" : "memory.limit_in_bytes",
              std::to_string(options.memory_mib) + "M");
  }
  return groups;
}

// Mounts that are below one that is remounted keep their flags, so that each is remounted.
void ForbidWrites(const std::string& writable) {
  Require(::mount(writable.c_str(), writable.c_str(), nullptr, MS_BIND, nullptr) == 0,
          writable + " cannot be mounted");
  std::ifstream mounts("/proc/self/mounts");
  std::vector<std::string> points;
  for (std::string device, point, rest; mounts >> device >> point && std::getline(mounts, rest);) {
    points.push_back(point);
  }
  for (const std::string& point : points) {
    // /proc stays as it is in containers, where it can be written; /dev has pipes and terminals.
    if (point != writable && !point.starts_with("/proc") && !point.starts_with("/dev")) {
      ::mount(nullptr, point.c_str(), nullptr, MS_REMOUNT | MS_BIND | MS_RDONLY, nullptr);
    }
  }
  const std::string probe = "/confined-" + std::to_string(::getpid());
  Require(::mkdir(probe.c_str(), 0755) != 0 && errno == EROFS, "/ can still be written");
}

void Mount(const Options& options) {
  if (!options.no_proc_sys && options.writable.empty()) {
    return;
  }
  Require(::unshare(CLONE_NEWNS) == 0, "no namespace of mounts");
  Require(::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) == 0, "/ stays shared");
  if (options.no_proc_sys) {
    Require(::mount("none", "/proc/sys", "tmpfs", MS_RDONLY, "mode=0") == 0,
            "nothing can be mounted over /proc/sys");
  }
  if (!options.writable.empty()) {
    ForbidWrites(options.writable);
    // The current folder may be the one that was mounted over.
    std::array<char, 4096> here{};
    Require(::getcwd(here.data(), here.size()) != nullptr && ::chdir(here.data()) == 0,
            "the current folder is gone");
  }
}

void UseOneCpu() {
  cpu_set_t allowed;
  Require(::sched_getaffinity(0, sizeof allowed, &allowed) == 0, "the allowed CPUs are unknown");
  std::size_t cpu = 0;
  while (!CPU_ISSET(cpu, &allowed)) {
    ++cpu;
  }
  CPU_ZERO(&allowed);
  CPU_SET(cpu, &allowed);
  Require(::sched_setaffinity(0, sizeof allowed, &allowed) == 0, "the CPUs cannot be chosen");
}

constexpr std::array kCalls{
    std::pair{"perf_event_open", SYS_perf_event_open},
    std::pair{"io_uring_setup", SYS_io_uring_setup},
    std::pair{"membarrier", SYS_membarrier},
    std::pair{"sched_setaffinity", SYS_sched_setaffinity},
    std::pair{"sched_getaffinity", SYS_sched_getaffinity},
    std::pair{"set_mempolicy", SYS_set_mempolicy},
    std::pair{"clone3", SYS_clone3},
    std::pair{"memfd_create", SYS_memfd_create},
    std::pair{"process_vm_readv", SYS_process_vm_readv},
    std::pair{"ptrace", SYS_ptrace},
    std::pair{"personality", SYS_personality},
    std::pair{"timer_create", SYS_timer_create},
    std::pair{"rseq", SYS_rseq},
    std::pair{"statx", SYS_statx},
    std::pair{"pidfd_open", SYS_pidfd_open},
    std::pair{"sched_setscheduler", SYS_sched_setscheduler},
    std::pair{"setpriority", SYS_setpriority},
    std::pair{"close_range", SYS_close_range},
    std::pair{"getcpu", SYS_getcpu},
    std::pair{"userfaultfd", SYS_userfaultfd},
    std::pair{"process_madvise", SYS_process_madvise},
};

void Filter(const Options& options) {
  constexpr auto kNumber = static_cast<std::uint32_t>(offsetof(seccomp_data, nr));
  std::vector<sock_filter> program{BPF_STMT(BPF_LD | BPF_W | BPF_ABS, kNumber)};
  const std::uint32_t refusal =
      SECCOMP_RET_ERRNO | (static_cast<std::uint32_t>(options.denied_with) & SECCOMP_RET_DATA);
  for (const std::string& name : options.denied) {
    const auto* const call =
        std::ranges::find_if(kCalls, [&name](const auto& known) { return name == known.first; });
    errno = EINVAL;
    Require(call != kCalls.end(), name);
    program.push_back(
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(call->second), 0, 1));
    program.push_back(BPF_STMT(BPF_RET | BPF_K, refusal));
  }
  program.push_back(BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW));
  const sock_fprog filter{.len = static_cast<unsigned short>(program.size()),
                          .filter = program.data()};
  Require(::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
              ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0,
          "no seccomp filter");
}

[[noreturn]] void Become(const Options& options, const std::vector<Group>& groups) {
  for (const Group& group : groups) {
    group.Enter();
  }
  Mount(options);
  if (options.one_cpu) {
    UseOneCpu();
  }
  if (options.user != 0) {
    const auto number = static_cast<uid_t>(options.user);
    Require(::syscall(SYS_setgroups, 0, nullptr) == 0 && ::setresgid(number, number, number) == 0 &&
                ::setresuid(number, number, number) == 0,
            "the user cannot be changed");
    ::unsetenv("HOME");
    ::unsetenv("USER");
  }
  if (!options.denied.empty()) {
    Filter(options);
  }
  ::execvp(options.command.front(), options.command.data());
  Refuse(options.command.front());
}

}  // namespace

int main(int argc, char** argv) {
  const Options options = Parse(argc, argv);
  const std::vector<Group> groups = MakeGroups(options);
  // The child alone gets the signals that a test sends to the process group.
  ::signal(SIGINT, SIG_IGN);
  const pid_t child = ::fork();
  Require(child >= 0, "fork");
  if (child == 0) {
    ::signal(SIGINT, SIG_DFL);
    Become(options, groups);
  }
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
