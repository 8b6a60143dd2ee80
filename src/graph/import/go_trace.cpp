#include "graph/import/go_trace.hpp"

#include "base/stable_sort.hpp"
#include "fibers/core/waiting.hpp"
#include "graph/build.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

using fibers::WaitKind;
using trace::EventKind;
using trace::StopReason;

constexpr std::size_t kHeaderBytes = 16;

// The events of the format that matter here, by their numbers in it. An event is a byte (kind, number of arguments), then the
// arguments as LEB128 numbers; the first is the time since the event before it on the same P, in ticks.
enum class GoEvent : std::uint8_t {
  kBatch = 1,  // P, time: the events up to the next one are of this P
  kFrequency = 2,
  kStack = 3,
  kGoCreate = 13,
  kGoStart = 14,
  kGoEnd = 15,
  kGoStop = 16,
  kGoSched = 17,
  kGoPreempt = 18,
  kGoSleep = 19,
  kGoBlock = 20,
  kGoUnblock = 21,
  kGoBlockSend = 22,
  kGoBlockRecv = 23,
  kGoBlockSelect = 24,
  kGoBlockSync = 25,
  kGoBlockCond = 26,
  kGoBlockNet = 27,
  kGoSysExit = 29,
  kGoSysBlock = 30,
  kGoWaiting = 31,
  kGoInSyscall = 32,
  kString = 37,
  kGoStartLocal = 38,
  kGoUnblockLocal = 39,
  kGoSysExitLocal = 40,
  kGoStartLabel = 41,
  kGoBlockGC = 42,
  kUserLog = 48,
  kLast = 49,
};

// An event with its time in ticks.
struct Tick {
  std::uint64_t ticks;
  std::uint32_t fiber;
  std::uint16_t arg;
  EventKind kind;
};

class Reader {
 public:
  explicit Reader(std::string_view bytes)
      : bytes_(bytes) {
  }

  TaskGraph Read() && {
    at_ = kHeaderBytes;
    while (at_ < bytes_.size()) {
      ReadEvent();
    }
    if (ticks_per_second_ == 0) {
      Refuse("it has no frequency of its clock: the program ended before it called trace.Stop()");
    }
    return Graph();
  }

 private:
  [[noreturn]] void Refuse(const std::string& why) const {
    throw FormatError(fmt::format("the Go trace is damaged at byte {}: {}", at_, why));
  }

  std::uint64_t Number() {
    std::uint64_t number = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      if (at_ == bytes_.size()) {
        Refuse("it ends in the middle of an event");
      }
      const auto byte = static_cast<unsigned char>(bytes_[at_++]);
      number |= std::uint64_t{byte & 0x7FU} << shift;
      if (byte < 0x80U) {
        return number;
      }
    }
    Refuse("a number is longer than 64 bits");
  }

  std::string_view Text() {
    const std::uint64_t size = Number();
    if (size > bytes_.size() - at_) {
      Refuse("a text is longer than the file");
    }
    const std::string_view text = bytes_.substr(at_, size);
    at_ += size;
    return text;
  }

  void ReadEvent() {
    const auto first = static_cast<unsigned char>(bytes_[at_]);
    const auto kind = static_cast<GoEvent>(first & 0x3FU);
    if (kind < GoEvent::kBatch || kind > GoEvent::kLast) {
      Refuse(fmt::format("there is no event {}", first & 0x3FU));
    }
    ++at_;
    if (kind == GoEvent::kString) {
      const std::uint64_t id = Number();
      strings_[id] = Text();
      return;
    }
    ReadArguments(1U + (first >> 6U));
    if (kind == GoEvent::kUserLog) {
      Text();
    }
    switch (kind) {
      case GoEvent::kBatch:
        Require(2);
        track_ = TrackOf(args_[0]);
        now_ = args_[1];
        break;
      case GoEvent::kFrequency:
        Require(1);
        ticks_per_second_ = args_[0];
        break;
      case GoEvent::kStack:
        ReadStack();
        break;
      default:
        if (kind > GoEvent::kStack) {
          Require(1);
          now_ += args_[0];
          Take(kind);
        }
        break;
    }
  }

  // Fewer than four arguments are counted in the first byte, else their length in bytes follows it.
  void ReadArguments(unsigned count) {
    args_.clear();
    if (count < 4) {
      for (unsigned i = 0; i < count; ++i) {
        args_.push_back(Number());
      }
      return;
    }
    const std::uint64_t size = Number();
    if (size > bytes_.size() - at_) {
      Refuse("an event is longer than the file");
    }
    for (const std::size_t end = at_ + size; at_ < end;) {
      args_.push_back(Number());
      if (at_ > end) {
        Refuse("the arguments of an event are longer than the event");
      }
    }
  }

  void Require(std::size_t arguments) const {
    if (args_.size() < arguments) {
      Refuse(fmt::format("an event has {} arguments; it needs {}", args_.size(), arguments));
    }
  }

  // Number, depth, then four numbers for each frame: the second is the function's name.
  void ReadStack() {
    Require(2);
    if (args_.size() >= 4) {
      top_of_stack_[args_[0]] = args_[3];
    }
  }

  std::vector<Tick>& TrackOf(std::uint64_t p) {
    // Threads without a P have a number that is none: -1, and others below it.
    constexpr std::uint64_t kMaxP = 1U << 20U;
    return p < kMaxP ? tracks_[p] : outside_;
  }

  // Fibers have the numbers of goroutines, in the order in which they are seen.
  std::uint32_t FiberOf(std::uint64_t goroutine) {
    const auto next = static_cast<std::uint32_t>(fibers_.size() + 1);
    return fibers_.try_emplace(goroutine, next).first->second;
  }

  void Add(EventKind kind, std::uint32_t fiber, std::uint16_t arg = 0) {
    track_.get().push_back({.ticks = now_, .fiber = fiber, .arg = arg, .kind = kind});
  }

  void Stop(StopReason why, WaitKind kind = WaitKind::kNothing) {
    if (why == StopReason::kSuspended) {
      Add(EventKind::kWait, 0, static_cast<std::uint16_t>(kind));
    }
    Add(EventKind::kSwitch, trace::kNoFiber, trace::SwitchArg(why, trace::kNoLabel));
  }

  void Start(std::uint64_t goroutine) {
    Add(EventKind::kSwitch, FiberOf(goroutine),
        trace::SwitchArg(StopReason::kLoop, trace::kNoLabel));
  }

  void Take(GoEvent kind) {
    switch (kind) {
      case GoEvent::kGoCreate:
        Require(3);
        stack_of_[FiberOf(args_[1])] = args_[2];
        Add(EventKind::kSpawn, FiberOf(args_[1]));
        break;
      case GoEvent::kGoStart:
      case GoEvent::kGoStartLocal:
      case GoEvent::kGoStartLabel:
        Require(2);
        Start(args_[1]);
        break;
      case GoEvent::kGoUnblock:
      case GoEvent::kGoUnblockLocal:
        Require(2);
        Add(EventKind::kWake, FiberOf(args_[1]));
        break;
      case GoEvent::kGoEnd:
        Stop(StopReason::kEnded);
        break;
      case GoEvent::kGoSched:
      case GoEvent::kGoPreempt:
        Stop(StopReason::kYielded);
        break;
      case GoEvent::kGoWaiting:
      case GoEvent::kGoInSyscall:
        // It did so before the recording began.
        Require(2);
        Start(args_[1]);
        Stop(StopReason::kSuspended, WaitKind::kResume);
        break;
      case GoEvent::kGoSysExit:
        Require(4);
        ReturnFromCall(args_[3]);
        break;
      case GoEvent::kGoSysExitLocal:
        Require(3);
        ReturnFromCall(args_[2]);
        break;
      default:
        if (const WaitKind waits = WaitOf(kind); waits != WaitKind::kNothing) {
          Stop(StopReason::kSuspended, waits);
        }
        break;
    }
  }

  // `ticks`: when the call ended; 0: now.
  void ReturnFromCall(std::uint64_t ticks) {
    outside_.push_back({.ticks = ticks == 0 ? now_ : ticks,
                        .fiber = FiberOf(args_[1]),
                        .arg = 0,
                        .kind = EventKind::kWake});
  }

  static WaitKind WaitOf(GoEvent kind) {
    switch (kind) {
      case GoEvent::kGoSleep:
        return WaitKind::kSleep;
      case GoEvent::kGoBlockSend:
        return WaitKind::kSend;
      case GoEvent::kGoBlockRecv:
        return WaitKind::kReceive;
      case GoEvent::kGoBlockSelect:
        return WaitKind::kSelect;
      case GoEvent::kGoBlockSync:
        return WaitKind::kMutex;
      case GoEvent::kGoBlockCond:
        return WaitKind::kCondVar;
      case GoEvent::kGoBlockNet:
        return WaitKind::kNetRead;
      case GoEvent::kGoSysBlock:
        return WaitKind::kFile;
      case GoEvent::kGoStop:
      case GoEvent::kGoBlock:
      case GoEvent::kGoBlockGC:
        return WaitKind::kResume;
      default:
        return WaitKind::kNothing;
    }
  }

  TaskGraph Graph() {
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    std::vector<std::pair<bool, std::vector<Tick>*>> all;
    for (auto& [p, track] : tracks_) {
      all.emplace_back(true, &track);
    }
    all.emplace_back(false, &outside_);
    // What is no P has events of several threads. Those of a P are in order, also where its clock has gone back.
    StableSort(outside_, {}, &Tick::ticks);
    for (auto& [p, track] : tracks_) {
      for (std::size_t i = 1; i < track.size(); ++i) {
        RequireSmall(track[i - 1].ticks - std::min(track[i - 1].ticks, track[i].ticks), p, i);
        track[i].ticks = std::max(track[i].ticks, track[i - 1].ticks);
      }
    }
    for (const auto& [is_worker, track] : all) {
      begin = std::min(begin, track->empty() ? begin : track->front().ticks);
    }
    const Labels labels = LabelsOfFibers();
    std::vector<Track> tracks;
    for (const auto& [is_worker, track] : all) {
      Track& made = tracks.emplace_back(Track{.is_worker = is_worker});
      for (const Tick& tick : *track) {
        const double ns =
            static_cast<double>(tick.ticks - begin) * 1e9 / static_cast<double>(ticks_per_second_);
        // A time of more than a century is none; a double holds it, and its sum with others.
        constexpr double kMostNs = 4e18;
        const auto label =
            tick.kind == EventKind::kSpawn ? labels.of.find(tick.fiber) : labels.of.end();
        made.events.push_back({.ns = static_cast<std::uint64_t>(std::min(ns, kMostNs)),
                               .fiber = tick.fiber,
                               .arg = label == labels.of.end() ? tick.arg : label->second,
                               .kind = tick.kind});
      }
    }
    TaskGraph graph = Build(tracks, {.labels = labels.texts});
    graph.workers = static_cast<std::uint32_t>(tracks_.size());
    graph.facts.emplace_back("source", std::string(bytes_.substr(0, 13)));
    if (const std::string wrong = Check(graph); !wrong.empty()) {
      throw FormatError("the events of the Go trace contradict each other: " + wrong);
    }
    return graph;
  }

  // The counters of CPUs differ a little; more is a jump of the clock.
  void RequireSmall(std::uint64_t ticks_back, std::uint64_t p, std::size_t event) const {
    constexpr double kMostNs = 1e6;
    const double ns =
        static_cast<double>(ticks_back) * 1e9 / static_cast<double>(ticks_per_second_);
    if (ns > kMostNs) {
      throw FormatError(
          fmt::format("the clock of the Go trace goes back by {:.0f} us at event {} of P {}",
                      ns / 1000, event, p));
    }
  }

  struct Labels {
    std::vector<std::string> texts{std::string()};
    std::unordered_map<std::uint32_t, std::uint16_t> of{};  // by fiber
  };

  // The function that a goroutine begins with.
  Labels LabelsOfFibers() const {
    Labels labels;
    std::map<std::string_view, std::uint16_t> known;
    for (const auto& [fiber, stack] : stack_of_) {
      const auto top = top_of_stack_.find(stack);
      const auto name = top == top_of_stack_.end() ? strings_.end() : strings_.find(top->second);
      if (name == strings_.end() ||
          labels.texts.size() > std::numeric_limits<std::uint16_t>::max()) {
        continue;
      }
      const auto [place, is_new] =
          known.try_emplace(name->second, static_cast<std::uint16_t>(labels.texts.size()));
      if (is_new) {
        labels.texts.emplace_back(name->second);
      }
      labels.of[fiber] = place->second;
    }
    return labels;
  }

  const std::string_view bytes_;
  std::size_t at_ = 0;
  std::vector<std::uint64_t> args_;  // of the event that is read
  std::uint64_t now_ = 0;            // on the track that is read
  std::uint64_t ticks_per_second_ = 0;
  std::map<std::uint64_t, std::vector<Tick>> tracks_;  // by P
  std::vector<Tick> outside_;
  std::reference_wrapper<std::vector<Tick>> track_{outside_};
  std::unordered_map<std::uint64_t, std::string_view> strings_;
  std::unordered_map<std::uint64_t, std::uint64_t> top_of_stack_;  // by number of a stack: a string
  std::unordered_map<std::uint64_t, std::uint32_t> fibers_;        // by goroutine
  std::map<std::uint32_t, std::uint64_t> stack_of_;                // by fiber
};

}  // namespace

bool IsGoTrace(std::string_view bytes) {
  return bytes.size() >= kHeaderBytes && bytes.starts_with("go 1.") &&
         bytes.substr(0, kHeaderBytes).find(" trace") != std::string_view::npos;
}

TaskGraph ReadGoTrace(std::string_view bytes) {
  if (!IsGoTrace(bytes)) {
    throw FormatError("this is no Go trace: it does not begin with \"go 1.19 trace\"");
  }
  const std::string_view version = bytes.substr(0, bytes.find(" trace"));
  if (version != "go 1.11" && version != "go 1.19") {
    throw FormatError(fmt::format(
        "the format of this trace is that of {}; the formats of go 1.11 and go 1.19 are read",
        version));
  }
  return Reader(bytes).Read();
}

}  // namespace schedbench::graph
