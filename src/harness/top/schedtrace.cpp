#include "harness/top/schedtrace.hpp"

#include "base/text.hpp"

#include <array>
#include <utility>

namespace schedbench::harness {

namespace {

// More processors than any machine has; a line with a larger number is not from the runtime.
constexpr std::size_t kMostProcessors = 4096;

// Returns what follows `name=` after a space; "" without it.
std::string_view TextOfField(std::string_view line, std::string_view name) {
  for (std::size_t at = line.find(name); at != std::string_view::npos;
       at = line.find(name, at + 1)) {
    const std::size_t end = at + name.size();
    if (at > 0 && line[at - 1] == ' ' && end < line.size() && line[end] == '=') {
      return line.substr(end + 1);
    }
  }
  return {};
}

// Parses a count of 32 bits; some versions print counts from 2^31 on as negative numbers.
std::optional<std::uint64_t> Count32(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  const auto number = NumberAt(is_negative ? text.substr(1) : text);
  return number ? std::optional<std::uint64_t>(
                      static_cast<std::uint32_t>(is_negative ? 0 - *number : *number))
                : std::nullopt;
}

// Returns whether a 32-bit count that was `earlier` may be `later` now; it may have wrapped.
bool MayFollow(std::uint64_t earlier, std::uint64_t later) {
  return static_cast<std::uint32_t>(later - earlier) < 1U << 31U;
}

bool MayFollow(const TopReading& earlier, const TopReading& later) {
  if (later.time_ns <= earlier.time_ns || later.workers.size() < earlier.workers.size()) {
    return false;
  }
  for (std::size_t i = 0; i < earlier.workers.size(); ++i) {
    const TopWorkerReading& before = earlier.workers[i];
    const TopWorkerReading& now = later.workers[i];
    if (!MayFollow(before.switches, now.switches) ||
        !MayFollow(before.system_calls.value_or(0), now.system_calls.value_or(0))) {
      return false;
    }
  }
  return true;
}

// Extends a 32-bit count beyond its wraps.
std::uint64_t Unwrapped(std::uint64_t earlier, std::uint64_t later) {
  return earlier + static_cast<std::uint32_t>(later - earlier);
}

void Unwrap(const TopReading& earlier, TopReading& later) {
  for (std::size_t i = 0; i < earlier.workers.size(); ++i) {
    const TopWorkerReading& before = earlier.workers[i];
    TopWorkerReading& now = later.workers[i];
    now.switches = Unwrapped(before.switches, now.switches);
    if (now.system_calls && before.system_calls) {
      now.system_calls = Unwrapped(*before.system_calls, *now.system_calls);
    }
  }
}

std::optional<std::uint64_t> Field(std::string_view line, std::string_view name) {
  return NumberAt(TextOfField(line, name));
}

// Returns the 12 of "  P12: ...".
std::optional<std::uint64_t> NumberOf(std::string_view line, char kind) {
  if (line.size() < 4 || !line.starts_with("  ") || line[2] != kind) {
    return std::nullopt;
  }
  const std::size_t colon = line.find(':');
  return colon == std::string_view::npos ? std::nullopt : NumberAt(line.substr(3, colon - 3));
}

// The states in runtime2.go: _Pidle, _Prunning, _Psyscall, _Pgcstop, _Pdead.
constexpr std::array kStatesOfProcessors{WorkerState::kPark, WorkerState::kRun,
                                         WorkerState::kSystemCall, WorkerState::kStopped,
                                         WorkerState::kStopped};

}  // namespace

std::size_t SchedtraceParser::BeginOfTrace(std::string_view line) noexcept {
  for (std::size_t at = line.find("SCHED "); at != std::string_view::npos;
       at = line.find("SCHED ", at + 1)) {
    const std::string_view rest = line.substr(at + 6);
    const std::size_t digits = rest.find_first_not_of("0123456789");
    if (digits > 0 && digits != std::string_view::npos &&
        rest.substr(digits).starts_with("ms: gomaxprocs=")) {
      return at;
    }
  }
  return std::string_view::npos;
}

bool SchedtraceParser::Take(std::string_view line) {
  if (const std::size_t begin = BeginOfTrace(line); begin != std::string_view::npos) {
    line.remove_prefix(begin);
    const auto ms = NumberAt(line.substr(6));
    if (!ms || *ms > UINT64_MAX / 1'000'000) {
      return false;
    }
    Flush();
    open_ = TopReading{.time_ns = *ms * 1'000'000,
                       .global_queue = Field(line, "runqueue").value_or(0),
                       .threads = Field(line, "threads").value_or(0),
                       .idle = Field(line, "idleprocs").value_or(0),
                       .searching = Field(line, "spinningthreads").value_or(0),
                       .fibers = {.in_system_call = 0}};
    return true;
  }
  if (!open_) {
    return false;
  }
  if (const auto number = NumberOf(line, 'P'); number && *number < kMostProcessors) {
    TakeProcessor(line, static_cast<std::size_t>(*number));
  } else if (NumberOf(line, 'M')) {
    TakeThread(line);
  } else if (NumberOf(line, 'G')) {
    TakeGoroutine(line);
  } else {
    return false;
  }
  return true;
}

std::optional<TopReading> SchedtraceParser::Next() {
  return std::exchange(done_, std::nullopt);
}

void SchedtraceParser::Flush() {
  if (open_) {
    Complete(*std::exchange(open_, std::nullopt));
  }
}

void SchedtraceParser::Complete(TopReading reading) {
  // A build starts many compilers; early ones other than the first process have ended.
  constexpr std::size_t kMostProcesses = 64;
  std::size_t number = processes_.size();
  for (std::size_t i = 0; i < processes_.size(); ++i) {
    if (MayFollow(processes_[i].last, reading) &&
        (number == processes_.size() ||
         processes_[i].last.time_ns >= processes_[number].last.time_ns)) {
      number = i;
    }
  }
  if (number == processes_.size()) {
    if (processes_.size() == kMostProcesses) {
      processes_.erase(processes_.begin() + 1);
      --number;
    }
    processes_.push_back({.last = std::move(reading), .number = ++begun_});
    followed_ = number;
  } else {
    Process& process = processes_[number];
    Unwrap(process.last, reading);
    process.last = std::move(reading);
    followed_ = number != followed_ && ++process.since >= 2 ? number : followed_;
  }
  if (number == followed_) {
    for (Process& process : processes_) {
      process.since = 0;
    }
    done_ = processes_[number].last;
  }
}

void SchedtraceParser::TakeProcessor(std::string_view line, std::size_t number) {
  if (number >= open_->workers.size()) {
    open_->workers.resize(number + 1);
  }
  TopWorkerReading& worker = open_->workers[number];
  const std::uint64_t status = Field(line, "status").value_or(kStatesOfProcessors.size());
  worker.state =
      status < kStatesOfProcessors.size() ? kStatesOfProcessors[status] : WorkerState::kUnknown;
  worker.queue = Field(line, "runqsize").value_or(0);
  worker.switches = Count32(TextOfField(line, "schedtick")).value_or(0);
  worker.system_calls = Count32(TextOfField(line, "syscalltick"));
}

// Handles an M: if it spins, its P searches. An M without a P has p=-1, which Field() refuses.
void SchedtraceParser::TakeThread(std::string_view line) {
  const auto processor = Field(line, "p");
  if (processor && *processor < open_->workers.size() &&
      TextOfField(line, "spinning").starts_with("true")) {
    open_->workers[static_cast<std::size_t>(*processor)].state = WorkerState::kSearch;
  }
}

// The states in runtime2.go: _Grunnable 1, _Grunning 2, _Gsyscall 3, _Gwaiting 4, _Gcopystack 8,
// _Gpreempted 9; _Gscan, 0x1000, is added during a stack scan. Others are dead or new.
void SchedtraceParser::TakeGoroutine(std::string_view line) {
  FiberStates& states = open_->fibers;
  switch (Field(line, "status").value_or(0) & 0xfffU) {
    case 1:
      ++states.runnable;
      break;
    case 2:
    case 8:
      ++states.executing;
      break;
    case 3:
      states.in_system_call = *states.in_system_call + 1;
      break;
    case 4:
    case 9:
      ++states.waiting;
      break;
    default:
      break;
  }
}

}  // namespace schedbench::harness
