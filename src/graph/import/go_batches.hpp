#pragma once

#include "graph/byte_reader.hpp"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace schedbench::graph {

// The events of the format since Go 1.22 that matter here, by their numbers in it.
enum class GoEventKind : std::uint8_t {
  kProcStart = 10,
  kProcStop = 11,
  kProcSteal = 12,
  kProcStatus = 13,
  kGoCreate = 14,
  kGoCreateSyscall = 15,
  kGoStart = 16,
  kGoDestroy = 17,
  kGoDestroySyscall = 18,
  kGoStop = 19,
  kGoBlock = 20,
  kGoUnblock = 21,
  kGoSyscallBegin = 22,
  kGoSyscallEnd = 23,
  kGoSyscallEndBlocked = 24,
  kGoStatus = 25,
  kGoSwitch = 45,
  kGoSwitchDestroy = 46,
  kGoCreateBlocked = 47,
  kGoStatusStack = 48,
};

struct GoEvent122 {
  GoEventKind kind{};
  std::int64_t ns = 0;
  std::array<std::uint64_t, 4> args{};  // without the time
};

// Events of one thread, with the ticks before the first one.
struct GoBatch {
  std::uint64_t ticks;
  ByteReader events;
};

// A part of a trace with names and numbers of its own.
struct GoGeneration {
  std::uint64_t number = 0;
  double ns_per_tick = 0;
  std::map<std::uint64_t, std::vector<GoBatch>> batches{};  // by thread
  std::unordered_map<std::uint64_t, std::string_view> texts{};
  std::unordered_map<std::uint64_t, std::uint64_t>
      roots{};  // by stack, the text of its outermost function

  // "" for a number that is none.
  std::string_view TextOf(std::uint64_t text) const;
  // The outermost function of a stack; "" where it is not known.
  std::string_view RootOf(std::uint64_t stack) const;
};

// Divides a trace into generations. Texts refer to its bytes. All functions throw FormatError.
class GoGenerations {
 public:
  explicit GoGenerations(std::string_view bytes);

  // Returns the next one; none at the end.
  std::optional<GoGeneration> Next();

 private:
  // Reads the head of the batch that begins here; afterwards `bytes` has its content.
  struct Head {
    std::uint64_t generation;
    std::uint64_t thread;
    std::uint64_t ticks;
    ByteReader bytes;
    bool is_experiment;
  };
  std::optional<Head> ReadHead();

  ByteReader bytes_;
  std::optional<Head> ahead_{};  // the first batch of the next generation
};

// Reads the events of a thread one after the other.
class GoCursor {
 public:
  GoCursor(std::uint64_t thread, const std::vector<GoBatch>& batches, double ns_per_tick)
      : thread_(thread),
        batches_(&batches),
        ns_per_tick_(ns_per_tick) {
  }

  // Reads the next event. Returns false at the end.
  bool Advance();

  const GoEvent122& Event() const {
    return event_;
  }
  std::uint64_t ThreadId() const {
    return thread_;
  }
  [[noreturn]] void Refuse(const std::string& why) const;

 private:
  std::int64_t Ns(std::uint64_t ticks) const;

  std::uint64_t thread_;
  const std::vector<GoBatch>* batches_;
  double ns_per_tick_;
  std::size_t next_ = 0;  // batch
  std::optional<ByteReader> bytes_{};
  GoEvent122 event_{};
};

}  // namespace schedbench::graph
