#include "fibers/core/waiting.hpp"
#include "graph/byte_reader.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/go_formats.hpp"
#include "graph/import/go_tracks.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::graph {

namespace {

using fibers::WaitKind;

// The relevant events by their numbers. An event is a byte (kind, number of arguments), then the
// arguments as LEB128 numbers; the first is the ticks since the previous event on its P.
enum class GoEvent : std::uint8_t {
  kBatch = 1,  // P, time: this P has the events up to the next batch
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

// The events by which a goroutine stops and waits.
constexpr std::array kWaits{
    std::pair{GoEvent::kGoStop, WaitKind::kResume},
    std::pair{GoEvent::kGoSleep, WaitKind::kSleep},
    std::pair{GoEvent::kGoBlock, WaitKind::kResume},
    std::pair{GoEvent::kGoBlockSend, WaitKind::kSend},
    std::pair{GoEvent::kGoBlockRecv, WaitKind::kReceive},
    std::pair{GoEvent::kGoBlockSelect, WaitKind::kSelect},
    std::pair{GoEvent::kGoBlockSync, WaitKind::kMutex},
    std::pair{GoEvent::kGoBlockCond, WaitKind::kCondVar},
    std::pair{GoEvent::kGoBlockNet, WaitKind::kNetRead},
    std::pair{GoEvent::kGoSysBlock, WaitKind::kFile},
    std::pair{GoEvent::kGoBlockGC, WaitKind::kResume},
};

class Reader111 {
 public:
  explicit Reader111(std::string_view bytes)
      : bytes_(bytes.substr(kGoHeaderBytes), kGoHeaderBytes, kGoTraceSubject),
        source_(bytes.substr(0, kGoVersionBytes)) {
  }

  TaskGraph Read() && {
    while (!bytes_.IsEmpty()) {
      ReadEvent();
    }
    if (ticks_per_second_ == 0) {
      bytes_.Refuse(
          "it has no frequency of its clock: the program ended before it called trace.Stop()");
    }
    for (const auto& [goroutine, stack] : stack_of_) {
      const auto top = top_of_stack_.find(stack);
      const auto name = top == top_of_stack_.end() ? strings_.end() : strings_.find(top->second);
      if (name != strings_.end()) {
        tracks_.SetName(goroutine, std::string(name->second));
      }
    }
    return tracks_.Graph(ticks_per_second_, 0, source_);
  }

 private:
  void ReadEvent() {
    const std::size_t place = bytes_.Place();
    const unsigned first = bytes_.Byte();
    const auto kind = static_cast<GoEvent>(first & 0x3FU);
    if (kind < GoEvent::kBatch || kind > GoEvent::kLast) {
      throw FormatError(fmt::format("the Go trace is damaged at byte {}: there is no event {}",
                                    place, first & 0x3FU));
    }
    if (kind == GoEvent::kString) {
      const std::uint64_t id = bytes_.Number();
      strings_[id] = bytes_.Text();
      return;
    }
    ReadArguments(1U + (first >> 6U));
    if (kind == GoEvent::kUserLog) {
      bytes_.Text();
    }
    switch (kind) {
      case GoEvent::kBatch:
        Require(2);
        p_ = args_[0];
        now_ = args_[1];
        break;
      case GoEvent::kFrequency:
        Require(1);
        ticks_per_second_ = args_[0];
        break;
      case GoEvent::kStack:
        // Number, depth, then four numbers for each frame: the second is the function's name.
        Require(2);
        if (args_.size() >= 4) {
          top_of_stack_[args_[0]] = args_[3];
        }
        break;
      default:
        if (kind > GoEvent::kStack) {
          Require(1);
          now_ += args_[0];
          tracks_.At(p_, now_);
          Take(kind);
        }
        break;
    }
  }

  // Reads arguments: the first byte counts fewer than four, otherwise their length follows it.
  void ReadArguments(unsigned count) {
    args_.clear();
    if (count < 4) {
      for (unsigned i = 0; i < count; ++i) {
        args_.push_back(bytes_.Number());
      }
      return;
    }
    ByteReader arguments = bytes_.Part();
    while (!arguments.IsEmpty()) {
      args_.push_back(arguments.Number());
    }
  }

  void Require(std::size_t arguments) const {
    if (args_.size() < arguments) {
      bytes_.Refuse(fmt::format("an event has {} arguments; it needs {}", args_.size(), arguments));
    }
  }

  void Take(GoEvent kind) {
    switch (kind) {
      case GoEvent::kGoCreate:
        Require(3);
        stack_of_[args_[1]] = args_[2];
        tracks_.Create(args_[1]);
        break;
      case GoEvent::kGoStart:
      case GoEvent::kGoStartLocal:
      case GoEvent::kGoStartLabel:
        Require(2);
        tracks_.Start(args_[1]);
        break;
      case GoEvent::kGoUnblock:
      case GoEvent::kGoUnblockLocal:
        Require(2);
        tracks_.Wake(args_[1]);
        break;
      case GoEvent::kGoEnd:
        tracks_.End();
        break;
      case GoEvent::kGoSched:
      case GoEvent::kGoPreempt:
        tracks_.Yield();
        break;
      case GoEvent::kGoWaiting:
      case GoEvent::kGoInSyscall:
        Require(2);
        tracks_.FoundWaiting(args_[1], WaitKind::kResume);
        break;
      case GoEvent::kGoSysExit:
      case GoEvent::kGoSysExitLocal: {
        // The last argument is when the call ended; 0: now.
        const std::size_t last = kind == GoEvent::kGoSysExit ? 3 : 2;
        Require(last + 1);
        tracks_.WakeFromOutside(args_[1], args_[last] == 0 ? now_ : args_[last]);
        break;
      }
      default:
        if (const auto* const waits =
                std::ranges::find(kWaits, kind, &std::pair<GoEvent, WaitKind>::first);
            waits != kWaits.end()) {
          tracks_.Wait(waits->second);
        }
        break;
    }
  }

  ByteReader bytes_;
  const std::string source_;
  GoTracks tracks_;
  std::vector<std::uint64_t> args_;        // arguments of the current event
  std::uint64_t p_ = GoTracks::kOutsideP;  // P of the current batch
  std::uint64_t now_ = 0;                  // time of its last event, in ticks
  std::uint64_t ticks_per_second_ = 0;
  std::unordered_map<std::uint64_t, std::string_view> strings_;
  std::unordered_map<std::uint64_t, std::uint64_t> top_of_stack_;  // string by number of a stack
  std::unordered_map<std::uint64_t, std::uint64_t> stack_of_;      // stack by goroutine
};

}  // namespace

TaskGraph ReadGoTrace111(std::string_view bytes) {
  return Reader111(bytes).Read();
}

}  // namespace schedbench::graph
