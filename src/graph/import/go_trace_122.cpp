#include "graph/import/go_batches.hpp"
#include "graph/import/go_formats.hpp"
#include "graph/import/go_tracks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

namespace schedbench::graph {

namespace {

using fibers::WaitKind;

constexpr std::uint64_t kNoP = GoTracks::kOutsideP;
constexpr std::uint64_t kNoGoroutine = ~std::uint64_t{0};
constexpr std::uint64_t kNoThread = ~std::uint64_t{0};

enum class State : std::uint8_t { kBad, kRunnable, kRunning, kInCall, kWaiting };
enum class StateOfP : std::uint8_t { kBad, kRunning, kIdle, kInCall, kAbandoned };

// A goroutine or a P. The trace numbers what happens to it on several threads, anew in each generation.
template <typename Of>
struct Numbered {
  Of state;
  std::uint64_t sequence = 0;
  std::uint64_t generation = 0;  // in which it has this number
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

// Puts the events of all threads in one order, and follows which goroutine and which P each thread has. The clocks of CPUs
// differ, so that times alone do not give the order: an event waits until what it follows has been taken.
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
  void ReadGeneration() {
    std::vector<GoCursor> cursors;
    for (const auto& [thread, batches] : generation_->batches) {
      cursors.emplace_back(thread, batches, generation_->ns_per_tick);
    }
    std::set<std::pair<std::int64_t, std::size_t>> next;  // by time, the numbers of cursors
    for (std::size_t i = 0; i < cursors.size(); ++i) {
      if (cursors[i].Advance()) {
        next.emplace(cursors[i].Event().ns, i);
      }
    }
    while (!next.empty()) {
      const auto taken = std::ranges::find_if(next, [&](const auto& one) {
        return Take(cursors[one.second]);
      });
      if (taken == next.end()) {
        cursors[next.begin()->second].Refuse("its events contradict each other");
      }
      const std::size_t i = taken->second;
      next.erase(taken);
      if (cursors[i].Advance()) {
        next.emplace(cursors[i].Event().ns, i);
      }
    }
  }

  // Returns false if the event must wait for one of another thread.
  bool Take(const GoCursor& cursor) {
    cursor_ = &cursor;
    event_ = &cursor.Event();
    GoThread no_thread;
    thread_ = cursor.ThreadId() == kNoThread ? &no_thread : &threads_[cursor.ThreadId()];
    if (!MayHappen()) {
      return false;
    }
    Happen(thread_->p);
    Apply();
    return true;
  }

  // Events get different times, in their order.
  void Happen(std::uint64_t p) {
    last_ns_ = std::max(event_->ns, last_ns_ + 1);
    tracks_.At(p, static_cast<std::uint64_t>(last_ns_));
  }

  bool Is(std::uint64_t goroutine, State state, std::uint64_t sequence) const {
    const auto found = goroutines_.find(goroutine);
    return found != goroutines_.end() && found->second.state == state &&
           found->second.generation == generation_->number &&
           found->second.sequence + 1 == sequence;
  }

  bool IsP(std::uint64_t p, std::initializer_list<StateOfP> states, std::uint64_t sequence) const {
    const auto found = ps_.find(p);
    return found != ps_.end() && std::ranges::find(states, found->second.state) != states.end() &&
           found->second.generation == generation_->number &&
           found->second.sequence + 1 == sequence;
  }

  bool MayHappen() const {
    const auto& args = event_->args;
    switch (event_->kind) {
      case GoEventKind::kProcStart:
        return thread_->p == kNoP && IsP(args[0], {StateOfP::kIdle}, args[1]);
      case GoEventKind::kProcSteal:
        return IsP(args[0], {StateOfP::kInCall, StateOfP::kAbandoned}, args[1]);
      case GoEventKind::kGoStart:
        return Is(args[0], State::kRunnable, args[1]);
      case GoEventKind::kGoUnblock:
      case GoEventKind::kGoSwitch:
      case GoEventKind::kGoSwitchDestroy:
        return Is(args[0], State::kWaiting, args[1]);
      case GoEventKind::kGoSyscallEndBlocked: {
        // Its P is stolen first.
        const auto p = ps_.find(thread_->p);
        return p == ps_.end() || p->second.state != StateOfP::kInCall;
      }
      default:
        return true;
    }
  }

  Numbered<State>& Current(State state) {
    const auto found = goroutines_.find(thread_->goroutine);
    if (found == goroutines_.end() || found->second.state != state) {
      cursor_->Refuse("an event needs a goroutine that its thread does not run");
    }
    return found->second;
  }

  Numbered<StateOfP>& CurrentP() {
    const auto found = ps_.find(thread_->p);
    if (found == ps_.end()) {
      cursor_->Refuse("an event needs a P that its thread does not have");
    }
    return found->second;
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
        ps_[args[0]] = {
            .state = StateOfP::kRunning, .sequence = args[1], .generation = generation_->number};
        thread_->p = args[0];
        break;
      case GoEventKind::kProcStop:
        CurrentP().state = StateOfP::kIdle;
        thread_->p = kNoP;
        break;
      case GoEventKind::kProcSteal:
        if (ps_[args[0]].state == StateOfP::kInCall) {
          threads_[args[2]].p = kNoP;
        }
        ps_[args[0]] = {
            .state = StateOfP::kIdle, .sequence = args[1], .generation = generation_->number};
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
        goroutines_[args[0]] = {
            .state = State::kRunnable, .sequence = args[1], .generation = generation_->number};
        tracks_.Wake(args[0]);
        break;
      case GoEventKind::kGoSwitch:
      case GoEventKind::kGoSwitchDestroy:
        tracks_.Wake(args[0]);
        Happen(thread_->p);
        Leave(event_->kind == GoEventKind::kGoSwitch ? State::kWaiting : State::kBad,
              WaitKind::kResume);
        Happen(thread_->p);
        Start(args[0], args[1]);
        break;
      case GoEventKind::kGoDestroy:
        Leave(State::kBad, WaitKind::kNothing);
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

  // The events of system calls. A goroutine in one waits for something outside.
  void ApplyCall() {
    switch (event_->kind) {
      case GoEventKind::kGoSyscallBegin: {
        Name(thread_->goroutine, event_->args[1]);
        Current(State::kRunning).state = State::kInCall;
        CurrentP() = {.state = StateOfP::kInCall,
                      .sequence = event_->args[0],
                      .generation = generation_->number};
        tracks_.Wait(WaitKind::kFile);
        break;
      }
      case GoEventKind::kGoSyscallEnd:
        Current(State::kInCall).state = State::kRunning;
        CurrentP().state = StateOfP::kRunning;
        WakeFromOutside();
        tracks_.Start(thread_->goroutine);
        break;
      case GoEventKind::kGoSyscallEndBlocked:
        Current(State::kInCall).state = State::kRunnable;
        WakeFromOutside();
        thread_->goroutine = kNoGoroutine;
        break;
      case GoEventKind::kGoDestroySyscall:
        Current(State::kInCall);
        goroutines_.erase(thread_->goroutine);
        thread_->goroutine = kNoGoroutine;
        if (thread_->p != kNoP) {
          CurrentP().state = StateOfP::kAbandoned;
          thread_->p = kNoP;
        }
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
    goroutines_[goroutine] = {
        .state = State::kRunning, .sequence = sequence, .generation = generation_->number};
    thread_->goroutine = goroutine;
    tracks_.Start(goroutine);
  }

  // The running goroutine stops and is in this state; kBad: it has ended.
  void Leave(State state, WaitKind waits) {
    Current(State::kRunning).state = state;
    if (state == State::kBad) {
      goroutines_.erase(thread_->goroutine);
      tracks_.End();
    } else if (state == State::kRunnable) {
      tracks_.Yield();
    } else {
      tracks_.Wait(waits);
    }
    thread_->goroutine = kNoGoroutine;
  }

  void Create(std::uint64_t goroutine, State state) {
    if (!goroutines_
             .try_emplace(goroutine,
                          Numbered<State>{.state = state, .generation = generation_->number})
             .second) {
      cursor_->Refuse(fmt::format("goroutine {} is created twice", goroutine));
    }
    tracks_.Create(goroutine);
    if (state != State::kRunnable) {
      tracks_.At(kNoP, static_cast<std::uint64_t>(last_ns_));
      tracks_.FoundWaiting(goroutine,
                           state == State::kInCall ? WaitKind::kFile : WaitKind::kResume);
    }
  }

  void FindP(std::uint64_t p, std::uint64_t status) {
    if (status < 1 || status > 4) {
      cursor_->Refuse(fmt::format("a P has the status {}", status));
    }
    auto state = static_cast<StateOfP>(status);
    if (const auto known = ps_.find(p); known != ps_.end()) {
      if (state == StateOfP::kAbandoned && known->second.state == StateOfP::kInCall) {
        // Its thread is known, so that nothing is lost.
        known->second = {.state = StateOfP::kInCall, .generation = generation_->number};
        return;
      }
      if (known->second.state != state) {
        cursor_->Refuse(fmt::format("P {} has another status in the next generation", p));
      }
    }
    ps_[p] = {.state = state, .sequence = 0, .generation = generation_->number};
    if (state == StateOfP::kRunning || state == StateOfP::kInCall) {
      thread_->p = p;
    }
  }

  // The state of a goroutine at the begin of a generation.
  void FindGoroutine(std::uint64_t goroutine, std::uint64_t thread, std::uint64_t status) {
    if (status < 1 || status > 4) {
      cursor_->Refuse(fmt::format("a goroutine has the status {}", status));
    }
    const auto state = static_cast<State>(status);
    const auto [place, is_new] = goroutines_.try_emplace(
        goroutine, Numbered<State>{.state = state, .generation = generation_->number});
    if (place->second.state != state || (is_new && !is_first_)) {
      cursor_->Refuse(
          fmt::format("goroutine {} has another status in the next generation", goroutine));
    }
    place->second = {.state = state, .generation = generation_->number};
    if (state == State::kRunning) {
      thread_->goroutine = goroutine;
    } else if (state == State::kInCall) {
      (thread == cursor_->ThreadId() ? *thread_ : threads_[thread]).goroutine = goroutine;
    }
    if (!is_new) {
      return;
    }
    tracks_.At(kNoP, static_cast<std::uint64_t>(last_ns_));
    tracks_.Create(goroutine);
    if (state == State::kRunning) {
      tracks_.At(thread_->p, static_cast<std::uint64_t>(last_ns_));
      tracks_.Start(goroutine);
    } else if (state != State::kRunnable) {
      tracks_.FoundWaiting(goroutine,
                           state == State::kInCall ? WaitKind::kFile : WaitKind::kResume);
    }
  }

  const std::string_view bytes_;
  const GoGeneration* generation_ = nullptr;  // that is read
  const GoCursor* cursor_ = nullptr;          // of the event that is taken
  const GoEvent122* event_ = nullptr;         // that is taken
  GoThread* thread_ = nullptr;                // on which it happened
  bool is_first_ = true;                      // no generation has been read
  std::int64_t last_ns_ = 1;
  GoTracks tracks_;
  std::unordered_map<std::uint64_t, Numbered<State>> goroutines_;
  std::unordered_map<std::uint64_t, Numbered<StateOfP>> ps_;
  std::unordered_map<std::uint64_t, GoThread> threads_;
};

}  // namespace

TaskGraph ReadGoTrace122(std::string_view bytes) {
  return Reader122(bytes).Read();
}

}  // namespace schedbench::graph
