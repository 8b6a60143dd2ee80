#include "tests/sim/runner/parallel.hpp"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <system_error>

#include <sys/wait.h>
#include <unistd.h>

namespace schedbench::sim {

namespace {

// A finding on its way through a pipe: numbers, then two lines of text.
std::string ToText(const Finding& finding) {
  std::ostringstream text;
  text.precision(17);
  text << finding.failed << ' ' << finding.complete << ' ' << finding.executions << ' '
       << finding.states << ' ' << finding.steps << ' ' << finding.seconds << '\n'
       << finding.failure << '\n'
       << finding.schedule << '\n';
  return text.str();
}

Finding FromText(const std::string& text) {
  std::istringstream in(text);
  Finding finding;
  in >> finding.failed >> finding.complete >> finding.executions >> finding.states >>
      finding.steps >> finding.seconds;
  in.ignore();
  std::getline(in, finding.failure);
  std::getline(in, finding.schedule);
  return finding;
}

struct Child {
  const Model* model;
  int pipe;
};

[[noreturn]] void Fatal(const char* what) {
  std::perror(what);
  std::exit(70);
}

[[noreturn]] void RunChild(const Model& model, const Effort& effort, int pipe) {
  const std::string text = ToText(Explore(model, effort));
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::write(pipe, text.data() + sent, text.size() - sent);
    if (count < 0) {
      Fatal("write");
    }
    sent += static_cast<std::size_t>(count);
  }
  ::_exit(0);
}

std::string ReadAll(int pipe) {
  std::string text;
  char buffer[4096];
  for (ssize_t count; (count = ::read(pipe, buffer, sizeof(buffer))) > 0;) {
    text.append(buffer, static_cast<std::size_t>(count));
  }
  ::close(pipe);
  return text;
}

}  // namespace

void ExploreAll(const std::vector<const Model*>& models, unsigned jobs,
                const std::function<Effort(const Model&)>& effort_of,
                const std::function<void(const Model&, const Finding&)>& done) {
  std::map<pid_t, Child> children;
  std::size_t next = 0;
  while (next < models.size() || !children.empty()) {
    if (next < models.size() && children.size() < jobs) {
      const Model* model = models[next++];
      int ends[2];
      if (::pipe(ends) != 0) {
        Fatal("pipe");
      }
      const pid_t pid = ::fork();
      if (pid < 0) {
        Fatal("fork");
      }
      if (pid == 0) {
        ::close(ends[0]);
        RunChild(*model, effort_of(*model), ends[1]);
      }
      ::close(ends[1]);
      children[pid] = {.model = model, .pipe = ends[0]};
      continue;
    }
    int status = 0;
    const pid_t pid = ::wait(&status);
    const auto child = children.find(pid);
    if (child == children.end()) {
      Fatal("wait");
    }
    Finding finding = FromText(ReadAll(child->second.pipe));
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0) {
      finding.failed = true;
      finding.failure = WIFSIGNALED(status)
                            ? "the explorer died of signal " + std::to_string(WTERMSIG(status))
                            : "the explorer ended with " + std::to_string(WEXITSTATUS(status));
    }
    done(*child->second.model, finding);
    children.erase(child);
  }
}

}  // namespace schedbench::sim
