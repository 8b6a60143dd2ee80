#include "tests/sim/runner/parallel.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>

#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::sim {

namespace {

struct Child {
  std::size_t number;
  std::FILE* result;
};

[[noreturn]] void Fatal(const char* what) {
  std::perror(what);
  std::exit(70);
}

// A file without a name, because a pipe that is not read while the child runs would fill up.
std::FILE* ResultFile() {
  std::FILE* file = std::tmpfile();
  if (file == nullptr) {
    Fatal("tmpfile");
  }
  return file;
}

std::string ReadAll(std::FILE* file) {
  std::string text;
  if (std::fseek(file, 0, SEEK_SET) != 0) {
    Fatal("fseek");
  }
  char buffer[4096];
  for (std::size_t count; (count = std::fread(buffer, 1, sizeof(buffer), file)) > 0;) {
    text.append(buffer, count);
  }
  std::fclose(file);
  return text;
}

pid_t Start(const std::function<std::string(std::size_t)>& work, const Child& child) {
  const pid_t pid = ::fork();
  if (pid < 0) {
    Fatal("fork");
  }
  if (pid == 0) {
    const std::string text = work(child.number);
    const bool written = std::fwrite(text.data(), 1, text.size(), child.result) == text.size() &&
                         std::fflush(child.result) == 0;
    ::_exit(written ? 0 : 70);
  }
  return pid;
}

}  // namespace

void RunInChildren(std::size_t count, unsigned jobs,
                   const std::function<std::string(std::size_t)>& work,
                   const std::function<void(std::size_t, const std::string&)>& done,
                   const std::function<void(std::size_t, const std::string&)>& died) {
  std::map<pid_t, Child> children;
  std::size_t next = 0;
  while (next < count || !children.empty()) {
    if (next < count && children.size() < jobs) {
      const Child child{.number = next++, .result = ResultFile()};
      children[Start(work, child)] = child;
      continue;
    }
    int status = 0;
    const auto child = children.find(::wait(&status));
    if (child == children.end()) {
      Fatal("wait");
    }
    const std::string text = ReadAll(child->second.result);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
      done(child->second.number, text);
    } else {
      died(child->second.number, WIFSIGNALED(status)
                                     ? "died of signal " + std::to_string(WTERMSIG(status))
                                     : "ended with " + std::to_string(WEXITSTATUS(status)));
    }
    children.erase(child);
  }
}

}  // namespace schedbench::sim
