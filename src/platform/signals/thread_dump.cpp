#include "platform/signals/thread_dump.hpp"

#include "base/atomic.hpp"
#include "platform/signals/backtrace.hpp"
#include "platform/threads/futex.hpp"
#include "platform/threads/this_thread.hpp"

#include <dirent.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <fstream>
#include <optional>
#include <string_view>

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace schedbench::platform {

namespace {

constexpr std::chrono::milliseconds kDumpTimeout{500};
constexpr std::size_t kMaxThreads = 256;  // the rest of a longer report is not read

// The state of a conversation between the dumping thread and an asked thread: its id and a step in
// one word, so a late answer to an abandoned question never meets the next one. 0: free.
constexpr std::uint32_t kAsked = 1;
constexpr std::uint32_t kAnswering = 2;
constexpr std::uint32_t kAnswered = 3;

struct Conversation {
  Atomic<std::uint32_t> word{0};
  std::size_t length = 0;
  std::array<char, 4096> report;  // the reporter's lines
  CallList calls;
};

using Conversations = std::array<Conversation, kMaxThreads>;

// All threads are asked at the same time, in a conversation each, so those that do not answer share
// one wait. File-wide, for the signal handler; the first dump makes it, because few programs need
// it. Never freed, because a thread may be stuck in its answer.
Atomic<Conversations*> all_conversations{nullptr};
ThreadReporter thread_reporter = nullptr;

std::uint32_t Word(int thread, std::uint32_t step) {
  return static_cast<std::uint32_t>(thread) << 2U | step;
}

void Answer(Conversation& conversation, int thread, const MachineState& state) {
  RawWriter out(conversation.report);
  if (thread_reporter != nullptr) {
    thread_reporter(out, state);
  }
  conversation.calls = ReadBacktrace(state);
  conversation.length = out.Text().size();
  // release: pairs with the acquire in Collect().
  conversation.word.Store(Word(thread, kAnswered), memory_order_release);
  FutexWake(conversation.word, 1);
}

void OnDumpSignal(int /*signal*/, siginfo_t* /*info*/, void* context) {
  const int saved_errno = errno;
  const int thread = KernelThreadId();
  // acquire: pairs with the release in DumpOtherThreads(). Not null, because a dump has asked.
  for (Conversation& conversation : *all_conversations.Load(memory_order_acquire)) {
    std::uint32_t expected = Word(thread, kAsked);
    // acquire: pairs with the release in Ask(). relaxed: another thread's, or abandoned.
    if (conversation.word.CompareExchange(expected, Word(thread, kAnswering), memory_order_acquire,
                                          memory_order_relaxed)) {
      Answer(conversation, thread, StateOfSignal(context));
      break;
    }
  }
  errno = saved_errno;
}

// Returns null if all are in use by threads stuck in their answers, or the thread has ended.
Conversation* Ask(Conversations& conversations, int thread) {
  const auto free = std::ranges::find_if(conversations, [](const Conversation& conversation) {
    // relaxed: only this thread starts and ends them.
    return conversation.word.Load(memory_order_relaxed) == 0;
  });
  if (free == conversations.end()) {
    return nullptr;
  }
  // release: pairs with the acquire in OnDumpSignal().
  free->word.Store(Word(thread, kAsked), memory_order_release);
  if (::syscall(SYS_tgkill, ::getpid(), thread, SIGURG) != 0) {
    // relaxed: no thread has got it.
    free->word.Store(0, memory_order_relaxed);
    return nullptr;
  }
  return &*free;
}

// Returns the calls in lines: each function has a number, also inlined ones, as in a debugger.
std::string CallLines(const CallList& calls, const CallNamer& namer) {
  std::string lines;
  std::size_t number = 0;
  calls.ForEach(
      [&](std::size_t /*index*/, std::uintptr_t address) {
        for (const std::string& name : namer(address)) {
          lines += "    #" + std::to_string(number++) + " " + name + "\n";
        }
      },
      [&](std::size_t count) {
        lines += "    ... " + std::to_string(count) + " calls ...\n";
        number += count;
      });
  return lines;
}

struct ThreadAnswer {
  std::string report;
  CallList calls;
};

// Returns the thread's answer; nothing without one by the deadline.
std::optional<ThreadAnswer> Collect(Conversation& conversation, int thread,
                                    std::chrono::steady_clock::time_point deadline) {
  for (;;) {
    // acquire: pairs with the release in Answer().
    std::uint32_t word = conversation.word.Load(memory_order_acquire);
    if (word == Word(thread, kAnswered)) {
      ThreadAnswer answer{.report = {conversation.report.data(), conversation.length},
                          .calls = conversation.calls};
      // relaxed: only this thread starts the next one here.
      conversation.word.Store(0, memory_order_relaxed);
      return answer;
    }
    if (!FutexWaitFor(conversation.word, word, deadline - std::chrono::steady_clock::now())) {
      word = Word(thread, kAsked);
      // relaxed: nothing was written yet.
      if (conversation.word.CompareExchange(word, 0, memory_order_relaxed, memory_order_relaxed) ||
          word == Word(thread, kAnswering)) {
        return std::nullopt;  // a thread that is stuck in its answer keeps its conversation
      }
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
    if (error == std::errc() && thread != KernelThreadId()) {
      threads.push_back(thread);
    }
  }
  ::closedir(folder);
  std::ranges::sort(threads);
  return threads;
}

// Returns text like "'fast-0' (asleep)".
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

std::string DumpOtherThreads(ThreadReporter reporter, const CallNamer& namer) {
  thread_reporter = reporter;
  // relaxed: only callers make them, one at a time.
  Conversations* conversations = all_conversations.Load(memory_order_relaxed);
  if (conversations == nullptr) {
    conversations = new Conversations;
    // release: pairs with the acquire in OnDumpSignal().
    all_conversations.Store(conversations, memory_order_release);
  }
  struct sigaction action{};
  action.sa_sigaction = &OnDumpSignal;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_RESTART;
  ::sigfillset(&action.sa_mask);
  // It stays installed: a thread may answer later and find no question.
  ::sigaction(SIGURG, &action, nullptr);
  std::string text;
  std::vector<int> threads = OtherThreads();
  const std::size_t all = threads.size();
  threads.resize(std::min(all, kMaxThreads));
  // All are described first, because a question wakes sleeping threads.
  struct Asked {
    int thread;
    std::string description;
    Conversation* conversation = nullptr;
  };
  std::vector<Asked> asked;
  for (const int thread : threads) {
    asked.push_back({.thread = thread, .description = Describe(thread)});
  }
  for (Asked& one : asked) {
    one.conversation = Ask(*conversations, one.thread);
  }
  const auto deadline = std::chrono::steady_clock::now() + kDumpTimeout;
  std::vector<std::optional<ThreadAnswer>> answers;
  for (const Asked& one : asked) {
    answers.push_back(one.conversation == nullptr
                          ? std::nullopt
                          : Collect(*one.conversation, one.thread, deadline));
  }
  // After all answers, because names may take longer than the threads' time limit.
  for (std::size_t i = 0; i < asked.size(); ++i) {
    text += "  thread " + asked[i].description + "\n";
    text += answers[i] ? answers[i]->report + CallLines(answers[i]->calls, namer)
                       : "    does not answer\n";
  }
  if (all > threads.size()) {
    text += "  and " + std::to_string(all - threads.size()) + " more threads\n";
  }
  return text;
}

}  // namespace schedbench::platform
