#include "platform/thread_dump.hpp"

#include "base/atomic.hpp"
#include "platform/backtrace.hpp"
#include "platform/futex.hpp"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <string_view>
#include <vector>

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr std::chrono::milliseconds kPatience{250};
constexpr std::size_t kMostThreads = 256;  // a report that nobody reads to its end helps nobody

// The one conversation at a time between who asks and the thread that is asked: its id and a step, in one word, so that
// a late answer to a question that was given up never meets the next one.
constexpr std::uint32_t kAsked = 1;
constexpr std::uint32_t kAnswering = 2;
constexpr std::uint32_t kAnswered = 3;

Atomic<std::uint32_t> conversation{0};
std::array<char, 16384> answer;
std::size_t answer_length = 0;
ThreadNarrator narrator = nullptr;

std::uint32_t Word(int thread, std::uint32_t step) {
  return static_cast<std::uint32_t>(thread) << 2U | step;
}

int ThisThread() {
  return static_cast<int>(::syscall(SYS_gettid));
}

void OnQuestion(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const int saved_errno = errno;
  const int thread = ThisThread();
  std::uint32_t expected = Word(thread, kAsked);
  // acquire: pairs with the release in Ask(). relaxed: the question was given up.
  if (conversation.CompareExchange(expected, Word(thread, kAnswering), memory_order_acquire,
                                   memory_order_relaxed)) {
    RawWriter out(answer);
    const MachineState state = StateOfSignal(context);
    if (narrator != nullptr) {
      narrator(out, state);
    }
    WriteBacktrace(out, state);
    answer_length = out.Text().size();
    // release: pairs with the acquire in Ask().
    conversation.Store(Word(thread, kAnswered), memory_order_release);
    FutexWake(conversation, 1);
  }
  errno = saved_errno;
}

// Returns false when the thread does not answer.
bool Ask(int thread) {
  // release: pairs with the acquire in OnQuestion().
  conversation.Store(Word(thread, kAsked), memory_order_release);
  if (::syscall(SYS_tgkill, ::getpid(), thread, SIGURG) != 0) {
    return false;
  }
  const auto deadline = std::chrono::steady_clock::now() + kPatience;
  for (;;) {
    // acquire: pairs with the release in OnQuestion().
    std::uint32_t word = conversation.Load(memory_order_acquire);
    if (word == Word(thread, kAnswered)) {
      return true;
    }
    if (!FutexWaitFor(conversation, word, deadline - std::chrono::steady_clock::now())) {
      word = Word(thread, kAsked);
      // relaxed: nothing was written yet, or else it is being written, and will be answered soon.
      if (conversation.CompareExchange(word, 0, memory_order_relaxed, memory_order_relaxed)) {
        return false;
      }
      FutexWaitFor(conversation, word, std::chrono::milliseconds(1));
    }
  }
}

std::vector<int> OtherThreads() {
  std::vector<int> threads;
  DIR* const folder = ::opendir("/proc/self/task");
  if (folder == nullptr) {
    return threads;
  }
  while (const dirent* entry = ::readdir(folder)) {
    const std::string_view name = entry->d_name;
    int thread = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), thread);
    if (error == std::errc() && thread != ThisThread()) {
      threads.push_back(thread);
    }
  }
  ::closedir(folder);
  std::ranges::sort(threads);
  return threads;
}

// "'fast-0' (asleep)"
std::string Describe(int thread) {
  std::string stat;
  std::getline(std::ifstream("/proc/self/task/" + std::to_string(thread) + "/stat"), stat);
  const std::size_t open = stat.find('(');
  const std::size_t close = stat.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close + 2 >= stat.size()) {
    return "gone";
  }
  const char state = stat[close + 2];
  const char* const text = state == 'R' ? "running" : state == 'S' ? "asleep" : "blocked";
  return "'" + stat.substr(open + 1, close - open - 1) + "' (" + text + ")";
}

}  // namespace

std::string DumpOtherThreads(ThreadNarrator narrate) {
  narrator = narrate;
  struct sigaction action {};
  action.sa_sigaction = &OnQuestion;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  // Stays: a thread may answer later yet, and find that nobody asks.
  ::sigaction(SIGURG, &action, nullptr);
  std::string text;
  std::vector<int> threads = OtherThreads();
  const std::size_t all = threads.size();
  threads.resize(std::min(all, kMostThreads));
  for (const int thread : threads) {
    text += "  thread " + Describe(thread) + "\n";
    text += Ask(thread) ? std::string(answer.data(), answer_length) : "    does not answer\n";
  }
  if (all > threads.size()) {
    text += "  and " + std::to_string(all - threads.size()) + " more threads\n";
  }
  return text;
}

}  // namespace schedbench::platform
