#include "graph/import/go_batches.hpp"
#include "graph/import/go_formats.hpp"
#include "graph/import/go_tracks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

using fibers::WaitKind;

constexpr std::uint64_t kNoP = GoTracks::kOutsideP;
constexpr std::uint64_t kNoGoroutine = ~std::uint64_t{0};
constexpr std::uint64_t kNoThread = ~std::uint64_t{0};

// States of a goroutine, by their numbers in the trace. A P is runnable, running or in a call.
enum class State : std::uint8_t { kNone, kRunnable, kRunning, kInCall, kWaiting };

// A goroutine or a P. The trace numbers its events on all threads, anew in each generation.
struct Numbered {
  State state = State::kNone;
  std::uint64_t sequence = 0;
  std::uint64_t generation = 0;  // generation of this number
};

// An event's need: a goroutine or P with this state and the previous number, or a P-less thread.
struct Need {
  enum class Of : std::uint8_t { kGoroutine, kP, kThread };

  Of of;
  std::uint64_t id;
  State state = State::kNone;
  std::uint64_t sequence = 0;

  auto operator<=>(const Need&) const = default;
};

struct GoThread {
  std::uint64_t goroutine = kNoGoroutine;
  std::uint64_t p = kNoP;
};

WaitKind WaitOf(std::string_view reason) {
  constexpr std::array kKinds{std::pair{std::string_view("network"), WaitKind::kNetRead},
                              std::pair{std::string_view("select"), WaitKind::kSelect},
                              std::pair{std::string_view("sync.(*Cond).Wait"), WaitKind::kCondVar},
                              std::pair{std::string_view("sync"), WaitKind::kMutex},
                              std::pair{std::string_view("chan send"), WaitKind::kSend},
                              std::pair{std::string_view("chan receive"), WaitKind::kReceive},
                              std::pair{std::string_view("sleep"), WaitKind::kSleep}};
  const auto* const found =
      std::ranges::find(kKinds, reason, &std::pair<std::string_view, WaitKind>::first);
  return found == kKinds.end() ? WaitKind::kResume : found->second;
}

// Puts the events of all threads into one order, and follows which goroutine and which P each
// thread has. The clocks of CPUs differ, so times alone do not give the order: an event waits until
// its predecessor has been taken.
class Reader122 {
 public:
  explicit Reader122(std::string_view bytes)
      : bytes_(bytes) {
  }

  TaskGraph Read() && {
    GoGenerations generations(bytes_);
    while (auto generation = generations.Next()) {
      generation_ = &*generation;
      ReadGeneration();
      is_first_ = false;
      ++last_ns_;  // the end of a generation is an event of its own
    }
    if (is_first_) {
      throw FormatError("the Go trace is empty: the program ended before it called trace.Stop()");
    }
    return tracks_.Graph(1'000'000'000, last_ns_, std::string(bytes_.substr(0, kGoVersionBytes)));
  }

 private:
  using enum Need::Of;

  // Takes the earliest event that need not wait. A thread whose event waits is not visited until
  // the wait ends: the time is linear for any number of waiting threads.
  void ReadGeneration() {
    cursors_.clear();
    for (const auto& [thread, batches] : generation_->batches) {
      cursors_.emplace_back(thread, batches, generation_->ns_per_tick);
      Advance(cursors_.size() - 1);
    }
    while (!ready_.empty()) {
      const std::size_t i = ready_.begin()->second;
      ready_.erase(ready_.begin());
      if (const auto need = Take(cursors_[i])) {
        blocked_[*need].push_back(i);
      } else {
        Advance(i);
      }
    }
    if (!blocked_.empty()) {
      cursors_[blocked_.begin()->second.front()].Refuse("its events contradict each other");
    }
  }

  void Advance(std::size_t i) {
    if (cursors_[i].Advance()) {
      ready_.emplace(cursors_[i].Event().ns, i);
    }
  }

  // Takes the event, or returns what it must wait for.
  std::optional<Need> Take(const GoCursor& cursor) {
    cursor_ = &cursor;
    event_ = &cursor.Event();
    GoThread no_thread;
    thread_ = cursor.ThreadId() == kNoThread ? &no_thread : &threads_[cursor.ThreadId()];
    const auto need = Missing();
    if (!need) {
      Happen();
      Apply();
    }
    return need;
  }

  // Gives events different times, in their order.
  void Happen() {
    last_ns_ = std::max(event_->ns, last_ns_ + 1);
    tracks_.At(thread_->p, static_cast<std::uint64_t>(last_ns_));
  }

  std::optional<Need> Missing() const {
    const auto& args = event_->args;
    const auto needs = [&](Need::Of of, State state) {
      const auto& all = of == kP ? ps_ : goroutines_;
      const auto found = all.find(args[0]);
      return found != all.end() && found->second.state == state &&
                     found->second.generation == generation_->number &&
                     found->second.sequence + 1 == args[1]
                 ? std::nullopt
                 : std::optional(Need{of, args[0], state, args[1]});
    };
    const auto no_p = [this] {
      return thread_->p == kNoP ? std::nullopt : std::optional(Need{kThread, cursor_->ThreadId()});
    };
    switch (event_->kind) {
      case GoEventKind::kProcStart: {
        const auto need = no_p();
        return need ? need : needs(kP, State::kRunnable);
      }
      case GoEventKind::kProcSteal:
        return needs(kP, State::kInCall);
      case GoEventKind::kGoStart:
        return needs(kGoroutine, State::kRunnable);
      case GoEventKind::kGoUnblock:
      case GoEventKind::kGoSwitch:
      case GoEventKind::kGoSwitchDestroy:
        return needs(kGoroutine, State::kWaiting);
      case GoEventKind::kGoSyscallEndBlocked: {
        // The P of the call must have been stolen.
        const auto p = ps_.find(thread_->p);
        return p == ps_.end() || p->second.state != State::kInCall ? std::nullopt : no_p();
      }
      default:
        return std::nullopt;
    }
  }

  void Wake(const Need& need) {
    if (const auto waiting = blocked_.extract(need)) {
      for (const std::size_t i : waiting.mapped()) {
        ready_.emplace(cursors_[i].Event().ns, i);
      }
    }
  }

  void Set(Need::Of of, std::uint64_t id, State state, std::uint64_t sequence) {
    (of == kP ? ps_ : goroutines_)[id] = {state, sequence, generation_->number};
    Wake({of, id, state, sequence + 1});
  }

  // Requires the first state of the thread's goroutine, and sets the second one.
  void Change(State from, State to) {
    const auto found = goroutines_.find(thread_->goroutine);
    if (found == goroutines_.end() || found->second.state != from) {
      cursor_->Refuse("an event needs a goroutine that its thread does not run");
    }
    if (to == State::kNone) {
      goroutines_.erase(found);
    } else {
      Set(kGoroutine, thread_->goroutine, to, found->second.sequence);
    }
  }

  void RequireP() const {
    if (thread_->p == kNoP) {
      cursor_->Refuse("an event needs a P that its thread does not have");
    }
  }

  void Name(std::uint64_t goroutine, std::uint64_t stack) {
    if (!tracks_.HasName(goroutine)) {
      if (const std::string_view name = generation_->RootOf(stack); !name.empty()) {
        tracks_.SetName(goroutine, std::string(name));
      }
    }
  }

  void Apply() {
    const auto& args = event_->args;
    switch (event_->kind) {
      case GoEventKind::kProcStatus:
        FindP(args[0], args[1]);
        break;
      case GoEventKind::kProcStart:
        thread_->p = args[0];
        Set(kP, args[0], State::kRunning, args[1]);
        break;
      case GoEventKind::kProcStop:
        RequireP();
        Set(kP, thread_->p, State::kRunnable, ps_[thread_->p].sequence);
        thread_->p = kNoP;
        break;
      case GoEventKind::kProcSteal:
        if (GoThread& owner = threads_[args[2]]; owner.p == args[0]) {
          owner.p = kNoP;
          Wake({kThread, args[2]});
        }
        Set(kP, args[0], State::kRunnable, args[1]);
        break;
      case GoEventKind::kGoStatus:
      case GoEventKind::kGoStatusStack:
        FindGoroutine(args[0], args[1], args[2]);
        Name(args[0], event_->kind == GoEventKind::kGoStatusStack ? args[3] : 0);
        break;
      case GoEventKind::kGoCreate:
      case GoEventKind::kGoCreateBlocked:
        Name(args[0], args[1]);
        Create(args[0],
               event_->kind == GoEventKind::kGoCreate ? State::kRunnable : State::kWaiting);
        break;
      case GoEventKind::kGoCreateSyscall:
        Create(args[0], State::kInCall);
        thread_->goroutine = args[0];
        break;
      case GoEventKind::kGoStart:
        Start(args[0], args[1]);
        break;
      case GoEventKind::kGoUnblock:
        Set(kGoroutine, args[0], State::kRunnable, args[1]);
        tracks_.Wake(args[0]);
        break;
      case GoEventKind::kGoSwitch:
      case GoEventKind::kGoSwitchDestroy:
        tracks_.Wake(args[0]);
        Happen();
        Leave(event_->kind == GoEventKind::kGoSwitch ? State::kWaiting : State::kNone,
              WaitKind::kResume);
        Happen();
        Start(args[0], args[1]);
        break;
      case GoEventKind::kGoDestroy:
        Leave(State::kNone, WaitKind::kNothing);
        break;
      case GoEventKind::kGoStop:
        Name(thread_->goroutine, args[1]);
        Leave(State::kRunnable, WaitKind::kNothing);
        break;
      case GoEventKind::kGoBlock:
        Name(thread_->goroutine, args[1]);
        Leave(State::kWaiting, WaitOf(generation_->TextOf(args[0])));
        break;
      default:
        ApplyCall();
        break;
    }
  }

  // Applies the events of system calls. A goroutine in a call waits for something outside.
  void ApplyCall() {
    switch (event_->kind) {
      case GoEventKind::kGoSyscallBegin:
        Name(thread_->goroutine, event_->args[1]);
        Change(State::kRunning, State::kInCall);
        RequireP();
        Set(kP, thread_->p, State::kInCall, event_->args[0]);
        tracks_.Wait(WaitKind::kFile);
        break;
      case GoEventKind::kGoSyscallEnd:
        Change(State::kInCall, State::kRunning);
        RequireP();
        Set(kP, thread_->p, State::kRunning, ps_[thread_->p].sequence);
        WakeFromOutside();
        tracks_.Start(thread_->goroutine);
        break;
      case GoEventKind::kGoSyscallEndBlocked:
        Change(State::kInCall, State::kRunnable);
        WakeFromOutside();
        thread_->goroutine = kNoGoroutine;
        break;
      case GoEventKind::kGoDestroySyscall:
        Change(State::kInCall, State::kNone);
        *thread_ = GoThread();
        break;
      default:
        break;
    }
  }

  void WakeFromOutside() {
    tracks_.WakeFromOutside(thread_->goroutine, static_cast<std::uint64_t>(last_ns_));
  }

  void Start(std::uint64_t goroutine, std::uint64_t sequence) {
    if (thread_->goroutine != kNoGoroutine || thread_->p == kNoP) {
      cursor_->Refuse("a goroutine starts on a thread that runs another one, or has no P");
    }
    Set(kGoroutine, goroutine, State::kRunning, sequence);
    thread_->goroutine = goroutine;
    tracks_.Start(goroutine);
  }

  // The running goroutine stops and gets this state; kNone: it has ended.
  void Leave(State state, WaitKind waits) {
    Change(State::kRunning, state);
    if (state == State::kNone) {
      tracks_.End();
    } else if (state == State::kRunnable) {
      tracks_.Yield();
    } else {
      tracks_.Wait(waits);
    }
    thread_->goroutine = kNoGoroutine;
  }

  void Create(std::uint64_t goroutine, State state) {
    if (goroutines_.contains(goroutine)) {
      cursor_->Refuse(fmt::format("goroutine {} is created twice", goroutine));
    }
    Set(kGoroutine, goroutine, state, 0);
    AddToTracks(goroutine, state);
  }

  void AddToTracks(std::uint64_t goroutine, State state) {
    tracks_.Create(goroutine);
    if (state == State::kInCall || state == State::kWaiting) {
      tracks_.At(kNoP, static_cast<std::uint64_t>(last_ns_));
      tracks_.FoundWaiting(goroutine,
                           state == State::kInCall ? WaitKind::kFile : WaitKind::kResume);
    }
  }

  // Applies the status of a P at the start of a generation: running, idle, in a system call of this
  // thread, or in one of another thread.
  void FindP(std::uint64_t p, std::uint64_t status) {
    if (status < 1 || status > 4) {
      cursor_->Refuse(fmt::format("a P has the status {}", status));
    }
    if (status % 2 == 1) {
      thread_->p = p;
    }
    constexpr std::array kStates{State::kRunning, State::kRunnable, State::kInCall, State::kInCall};
    Set(kP, p, kStates[status - 1], 0);
  }

  // Applies the state of a goroutine at the start of a generation.
  void FindGoroutine(std::uint64_t goroutine, std::uint64_t thread, std::uint64_t status) {
    if (status < 1 || status > 4) {
      cursor_->Refuse(fmt::format("a goroutine has the status {}", status));
    }
    const auto state = static_cast<State>(status);
    const auto known = goroutines_.find(goroutine);
    const bool is_new = known == goroutines_.end();
    if (is_new ? !is_first_ : known->second.state != state) {
      cursor_->Refuse(
          fmt::format("goroutine {} has another status in the next generation", goroutine));
    }
    Set(kGoroutine, goroutine, state, 0);
    if (state == State::kRunning) {
      thread_->goroutine = goroutine;
    } else if (state == State::kInCall) {
      (thread == cursor_->ThreadId() ? *thread_ : threads_[thread]).goroutine = goroutine;
    }
    if (is_new) {
      tracks_.At(kNoP, static_cast<std::uint64_t>(last_ns_));
      AddToTracks(goroutine, state);
      if (state == State::kRunning) {
        tracks_.At(thread_->p, static_cast<std::uint64_t>(last_ns_));
        tracks_.Start(goroutine);
      }
    }
  }

  const std::string_view bytes_;
  const GoGeneration* generation_ = nullptr;              // the current generation
  std::vector<GoCursor> cursors_;                         // cursors of its threads
  std::set<std::pair<std::int64_t, std::size_t>> ready_;  // times of events, and their cursors
  std::map<Need, std::vector<std::size_t>> blocked_;      // the waiting cursors
  const GoCursor* cursor_ = nullptr;                      // cursor of the current event
  const GoEvent122* event_ = nullptr;                     // the current event
  GoThread* thread_ = nullptr;                            // thread of the current event
  bool is_first_ = true;                                  // no generation has been read
  std::int64_t last_ns_ = 1;
  GoTracks tracks_;
  std::unordered_map<std::uint64_t, Numbered> goroutines_;
  std::unordered_map<std::uint64_t, Numbered> ps_;
  std::unordered_map<std::uint64_t, GoThread> threads_;
};

}  // namespace

TaskGraph ReadGoTrace122(std::string_view bytes) {
  return Reader122(bytes).Read();
}

}  // namespace schedbench::graph
