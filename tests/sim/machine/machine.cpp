#include "tests/sim/machine/machine.hpp"

#include "tests/sim/machine/crash.hpp"
#include "tests/sim/machine/hash.hpp"

#include <bit>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/mman.h>

namespace schedbench::sim {

using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

namespace {

// What a jump carries: the thread that is left, or this for the explorer.
constexpr std::uintptr_t kExplorer = kMaxThreads;

constexpr std::uint32_t Bit(unsigned thread) noexcept {
  return 1U << thread;
}

unsigned Lowest(std::uint32_t threads) noexcept {
  return static_cast<unsigned>(std::countr_zero(threads));
}

}  // namespace

Machine& Machine::Instance() noexcept {
  static Machine* const machine = new (std::malloc(sizeof(Machine))) Machine;
  return *machine;
}

Machine::Machine()
    : locations_(kLocations),
      cells_(kLocations),
      known_shared_(kLocations) {
  char* const memory = model_memory::Map(model_memory::kThreadStacks, kMaxThreads * kStackBytes);
  for (unsigned i = 0; i < kMaxThreads; ++i) {
    stacks_[i] = memory + i * kStackBytes;
    if (::mprotect(stacks_[i], 4096, PROT_NONE) != 0) {
      std::abort();
    }
  }
  CatchCrashes();
}

void Machine::ForgetShared(bool all) noexcept {
  std::fill(known_shared_.begin(), known_shared_.end(), std::uint8_t{0});
  all_shared_ = all;
}

// ---- An execution ----

Ending Machine::Execute(const std::function<void()>& body, IChooser& chooser,
                        const Limits& limits) {
  chooser_ = &chooser;
  limits_ = limits;
  ++execution_;
  steps_ = 0;
  preemptions_ = 0;
  stale_reads_ = 0;
  spurious_ = 0;
  state_ = 0;
  sequential_hash_ = 0;
  marks_hash_ = 0;
  streaks_ = 0;
  clock_hash_ = 0;
  clock_ = 0;
  long_spins_ = 0;
  look_again_ = false;
  sequential_ = {};
  ready_ = 0;
  spinning_ = 0;
  waits_ = 0;
  started_ = 1;
  current_ = 0;
  schedule_.clear();
  failure_[0] = '\0';
  ending_ = Ending::kCompleted;
  arena_.Reset();

  threads_[0].body = &body;
  InitThread(0, 0);
  running_ = true;
  jump_fcontext(threads_[0].context, reinterpret_cast<void*>(kExplorer));
  running_ = false;
  return ending_;
}

void Machine::InitThread(unsigned index, std::uint64_t seed) {
  Thread& thread = threads_[index];
  thread.context = make_fcontext(stacks_[index] + kStackBytes, kStackBytes - 4096, &Machine::Enter);
  thread.state = State::kReady;
  thread.now = {};
  thread.read = {};
  thread.fenced = {};
  thread.history = Fold(seed, index + 1);
  state_ += thread.history;
  thread.operations = 0;
  thread.locations = 0;
  thread.cells = 0;
  thread.fresh = false;
  thread.timed_out = false;
  thread.locals.fill(nullptr);
  ready_ |= Bit(index);
}

void Machine::Enter(transfer_t transfer) {
  Machine& machine = Instance();
  const auto from = reinterpret_cast<std::uintptr_t>(transfer.data);
  if (from == kExplorer) {
    machine.explorer_ = transfer.fctx;
  } else {
    machine.threads_[from].context = transfer.fctx;
  }
  (*machine.Self().body)();
  machine.Finish();
}

void Machine::Finish() {
  Thread& self = Self();
  if (current_ != 0) {
    delete self.body;
  }
  self.state = State::kFinished;
  ready_ &= ~Bit(current_);
  Learn(0xe0d);
  NextStep();
  for (unsigned i = 0; i < started_; ++i) {
    if (threads_[i].state == State::kJoin && threads_[i].waits_for == current_) {
      threads_[i].state = State::kReady;
      ready_ |= Bit(i);
    }
  }
  Wrote();
  GiveUpCpu();
  std::abort();
}

void Machine::End(Ending ending) noexcept {
  ending_ = ending;
  jump_fcontext(explorer_, nullptr);
  std::abort();
}

void Machine::Fail(const char* format, ...) {
  if (!running_) {
    std::va_list arguments;
    va_start(arguments, format);
    std::vfprintf(stderr, format, arguments);
    va_end(arguments);
    std::fputc('\n', stderr);
    std::abort();
  }
  std::va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(failure_.data(), failure_.size(), format, arguments);
  va_end(arguments);
  End(Ending::kFailed);
}

// ---- Points of decision ----

void Machine::Learn(std::uint64_t fact) noexcept {
  Thread& self = Self();
  const std::uint64_t history = Fold(self.history, fact);
  state_ += history - self.history;
  self.history = history;
}

void Machine::NextStep() noexcept {
  Thread& self = Self();
  ++self.now.happened.steps[current_];
  ++self.now.ordered.steps[current_];
}

void Machine::Record(Decision::Kind kind, std::uint32_t choice) {
  schedule_.push_back(
      {.thread = current_, .operation = Self().operations, .kind = kind, .choice = choice});
}

void Machine::Point(const Place& where) {
  if (++steps_ > limits_.steps) {
    Fail("livelock: too many steps, among them %s:%u", where.file_name(), where.line());
  }
  const std::uint64_t state =
      Fold(Fold(state_ + streaks_, marks_hash_ + 2 * long_spins_ + (look_again_ ? 1 : 0)),
           current_ | spinning_ << 8U | (std::uint64_t{stale_reads_} << 32U) |
               (std::uint64_t{spurious_} << 48U));
  // Without a limit it does not matter how many there have been.
  const bool limited = limits_.preemptions < Limits::kUnlimited;
  if (!chooser_->IsWorthwhile(state, limited ? preemptions_ : 0)) {
    End(Ending::kPruned);
  }
  if (ready_ == Bit(current_) || preemptions_ >= limits_.preemptions) {
    return;
  }
  const unsigned next = chooser_->ChooseThread(current_, ready_);
  if (next != current_) {
    ++preemptions_;
    Record(Decision::Kind::kSwitch, next);
    SwitchTo(next);
  }
}

void Machine::Block(State state, std::uint32_t location) {
  Thread& self = Self();
  self.state = state;
  self.waits_for = location;
  ready_ &= ~Bit(current_);
  GiveUpCpu();
}

void Machine::GiveUpCpu() {
  if (ready_ == 0 && spinning_ != 0) {
    ready_ = spinning_;
    spinning_ = 0;
    long_spins_ += look_again_ ? 1 : 0;
    look_again_ = true;
  }
  if (ready_ == 0) {
    for (unsigned i = 0; i < started_; ++i) {
      if (threads_[i].state == State::kTimedFutex) {
        threads_[i].state = State::kReady;
        threads_[i].timed_out = true;
        ready_ |= Bit(i);
      }
    }
  }
  if (ready_ == 0) {
    for (unsigned i = 0; i < started_; ++i) {
      if (threads_[i].state != State::kFinished) {
        FailDeadlock();
      }
    }
    if (arena_.Live() != 0) {
      Fail("leak: %zu blocks are still allocated at the end", arena_.Live());
    }
    End(Ending::kCompleted);
  }
  unsigned next = Lowest(ready_);
  if (ready_ != Bit(next)) {
    const unsigned chosen = chooser_->ChooseThread(current_, ready_);
    if (chosen != next) {
      Record(Decision::Kind::kNext, chosen);
      next = chosen;
    }
  }
  if (next != current_) {
    SwitchTo(next);
  }
}

void Machine::SwitchTo(unsigned next) {
  const std::uintptr_t self = current_;
  current_ = next;
  const transfer_t transfer = jump_fcontext(threads_[next].context, reinterpret_cast<void*>(self));
  threads_[reinterpret_cast<std::uintptr_t>(transfer.data)].context = transfer.fctx;
}

void Machine::Wrote() noexcept {
  look_again_ = false;
  ready_ |= spinning_;
  spinning_ = 0;
}

void Machine::FailDeadlock() {
  static constexpr std::array<const char*, 7> kWhere{"ready",
                                                     "asleep on a futex",
                                                     "asleep on a futex",
                                                     "waiting to lock",
                                                     "waiting for an unlock",
                                                     "joining a thread",
                                                     "done"};
  std::array<char, 512> text{};
  std::size_t length = 0;
  for (unsigned i = 0; i < started_; ++i) {
    const int written =
        std::snprintf(text.data() + length, text.size() - length, "%s thread %u %s",
                      i == 0 ? "" : ",", i, kWhere[static_cast<std::size_t>(threads_[i].state)]);
    length += static_cast<std::size_t>(written);
  }
  Fail("deadlock:%s", text.data());
}

void Machine::Spin(const Place& where) {
  if (!running_) {
    Fail("a spin outside of an execution can never end");
  }
  ++Self().operations;
  if (++steps_ > limits_.steps) {
    Fail("livelock: too many steps, among them %s:%u", where.file_name(), where.line());
  }
  Trace("spin", nullptr, 0, where);
  Self().fresh = true;
  ready_ &= ~Bit(current_);
  spinning_ |= Bit(current_);
  GiveUpCpu();
}

// ---- Threads ----

unsigned Machine::StartThread(std::function<void()> body) {
  if (!running_ || started_ == kMaxThreads) {
    Fail("a model has at most %u threads, started in an execution", kMaxThreads);
  }
  const unsigned index = started_++;
  Learn(0x57a7);
  NextStep();
  InitThread(index, Self().history);
  threads_[index].body = new std::function<void()>(std::move(body));
  threads_[index].now = Self().now;
  NextStep();
  return index;
}

void Machine::JoinThread(unsigned thread, const Place& where) {
  ++Self().operations;
  Trace("join", nullptr, thread, where);
  if (threads_[thread].state != State::kFinished) {
    Block(State::kJoin, thread);
  }
  Learn(threads_[thread].history);
  Self().now.Join(threads_[thread].now);
}

std::uint64_t Machine::Clock(const Place& where) {
  if (!running_) {
    return 0;
  }
  ++Self().operations;
  Point(where);
  NextStep();
  ++clock_;
  const std::uint64_t now = Time();
  clock_hash_ = Self().history;
  return now;
}

std::uint64_t Machine::Time() noexcept {
  if (!running_) {
    return 0;
  }
  Learn(clock_hash_ + long_spins_);
  return kSpinNs * (1 + long_spins_) + clock_;
}

void*& Machine::ThreadLocal(unsigned slot) noexcept {
  static std::array<void*, kThreadLocals> outside{};
  if (slot >= kThreadLocals) {
    Fail("there are more than %u thread-local pointers", kThreadLocals);
  }
  return running_ ? Self().locals[slot] : outside[slot];
}

// ---- Models ----

unsigned Machine::Draw(unsigned count) {
  ++Self().operations;
  const unsigned choice = ChooseRare(count);
  if (choice != 0) {
    Learn(0xd4a00 + choice);
  }
  return choice;
}

unsigned Machine::Choose(unsigned count) {
  ++Self().operations;
  const unsigned choice = count < 2 ? 0 : chooser_->ChooseValue(count, false);
  if (choice != 0) {
    Record(Decision::Kind::kValue, choice);
  }
  Learn(0xc400 + choice);
  return choice;
}

void Machine::Pause(const Place& where) {
  ++Self().operations;
  Learn(0x9a05e);  // the next point of decision is another state than the last one
  Point(where);
  NextStep();
}

void Machine::Mark() noexcept {
  Learn(marks_hash_);
  marks_hash_ = Self().history;
}

// ---- Memory ----

void* Machine::Allocate(std::size_t bytes, std::size_t alignment) {
  void* block = arena_.Allocate(current_, bytes, alignment);
  if (block == nullptr) {
    Fail("the model allocates more than %zu bytes in one thread", Arena::kRegionBytes);
  }
  return block;
}

bool Machine::Free(void* block) {
  if (!arena_.Contains(block)) {
    return false;
  }
  switch (arena_.Free(block)) {
    case Arena::Freed::kOk:
      break;
    case Arena::Freed::kTwice:
      Fail("a block is freed twice");
    case Arena::Freed::kNotABlock:
      Fail("something is freed that was not allocated, or what lies before it is overwritten");
  }
  return true;
}

// ---- Faults ----

bool Machine::HasFault(Fault fault, const Place& where) noexcept {
  if (on_place_ != nullptr) [[unlikely]] {
    on_place_(where, fault);
  }
  return mutation_.fault == fault && mutation_.IsAt(where);
}

bool Machine::IsSplit(const Place& where) noexcept {
  return HasFault(Fault::kSplitRmw, where);
}

std::memory_order Machine::Weakened(std::memory_order order, const Place& where) noexcept {
  using enum std::memory_order;
  const bool acquires = order == acquire || order == acq_rel;
  const bool releases = order == release || order == acq_rel;
  if (acquires && HasFault(Fault::kNoAcquire, where)) {
    return releases ? release : relaxed;
  }
  if (releases && HasFault(Fault::kNoRelease, where)) {
    return acquires ? acquire : relaxed;
  }
  if (order == seq_cst && HasFault(Fault::kNoSeqCst, where)) {
    return acq_rel;
  }
  return order;
}

void Machine::Trace(const char* what, const Word* word, std::uint64_t value,
                    const Place& where) noexcept {
  if (!tracing_) {
    return;
  }
  const char* file = where.file_name();
  for (const char* part : {"/schedulers/", "/src/", "/tests/"}) {
    if (const char* found = std::strstr(file, part)) {
      file = found + 1;
    }
  }
  std::printf("  thread %u @%-4u %-18s", current_, Self().operations, what);
  if (word != nullptr) {
    std::printf(" %#06x", word->id & 0xffffU);
  }
  std::printf(" %#llx  %s:%u\n", static_cast<unsigned long long>(value), file, where.line());
}

}  // namespace schedbench::sim
