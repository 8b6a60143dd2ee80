// Preloaded into tests that run under qemu-user: without binfmt_misc the kernel does not start a
// program of another machine, so these functions start it with the emulator, and preload this
// library into it too. Other programs, such as a shell or strace, belong to the machine that
// emulates and start as they are.
#include <spawn.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include <dlfcn.h>
#include <elf.h>
#include <unistd.h>

extern "C" char** environ;  // NOLINT(readability-redundant-declaration)

namespace {

bool IsEmulated(const std::string& file) {
  Elf64_Ehdr head{};
  std::ifstream(file, std::ios::binary).read(reinterpret_cast<char*>(&head), sizeof(head));
  return std::memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_machine == EM_AARCH64;
}

// Returns the path of a program that PATH leads to, as a shell finds it.
std::string Find(const std::string& name) {
  const char* const path = std::getenv("PATH");
  if (path == nullptr || name.find('/') != std::string::npos) {
    return name;
  }
  const std::string folders(path);
  for (std::size_t begin = 0; begin <= folders.size();) {
    const std::size_t end = std::min(folders.find(':', begin), folders.size());
    const std::string file = folders.substr(begin, end - begin) + "/" + name;
    if (::access(file.c_str(), X_OK) == 0) {
      return file;
    }
    begin = end + 1;
  }
  return name;
}

// What is started in place of a program.
class Start {
 public:
  Start(const char* name, char* const* arguments, char* const* environment) {
    const std::string file = Find(name);
    program_ = file;
    if (IsEmulated(file)) {
      std::array<char, PATH_MAX> real{};
      // The emulator has a /proc/self/exe of its own.
      if (file == "/proc/self/exe" && ::readlink(file.c_str(), real.data(), real.size() - 1) < 0) {
        real = {};
      }
      words_ = {EMULATOR, "-L", EMULATED_ROOT, "-E", std::string(kPreload) + PRELOADED};
      if (arguments[0] != nullptr) {
        words_.insert(words_.end(), {"-0", arguments[0]});
        ++arguments;
      }
      words_.push_back(real[0] != '\0' ? real.data() : file);
      program_ = Find(EMULATOR);
    }
    for (; *arguments != nullptr; ++arguments) {
      words_.push_back(*arguments);
    }
    for (; environment != nullptr && *environment != nullptr; ++environment) {
      if (std::strncmp(*environment, kPreload, std::strlen(kPreload)) != 0) {
        variables_.push_back(*environment);
      }
    }
    for (std::string& word : words_) {
      arguments_.push_back(word.data());
    }
    arguments_.push_back(nullptr);
    variables_.push_back(nullptr);
  }

  const char* Program() const {
    return program_.c_str();
  }

  char* const* Arguments() const {
    return arguments_.data();
  }

  char* const* Variables() const {
    return variables_.data();
  }

 private:
  static constexpr const char* kPreload = "LD_PRELOAD=";

  std::string program_;
  std::vector<std::string> words_;
  std::vector<char*> arguments_;
  std::vector<char*> variables_;
};

template <typename Function>
Function* Next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

// NOLINTBEGIN(readability-identifier-naming): the C library's names
int execve(const char* file, char* const arguments[], char* const environment[]) noexcept {
  const Start start(file, arguments, environment);
  return Next<decltype(execve)>("execve")(start.Program(), start.Arguments(), start.Variables());
}

int execv(const char* file, char* const arguments[]) noexcept {
  return execve(file, arguments, environ);
}

int execvp(const char* file, char* const arguments[]) noexcept {
  return execve(file, arguments, environ);
}

int posix_spawn(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const arguments[],
                char* const environment[]) {
  const Start start(file, arguments, environment);
  return Next<decltype(posix_spawn)>("posix_spawn")(pid, start.Program(), actions, attributes,
                                                    start.Arguments(), start.Variables());
}

int posix_spawnp(pid_t* pid, const char* file, const posix_spawn_file_actions_t* actions,
                 const posix_spawnattr_t* attributes, char* const arguments[],
                 char* const environment[]) {
  return posix_spawn(pid, file, actions, attributes, arguments, environment);
}
// NOLINTEND(readability-identifier-naming)
}
