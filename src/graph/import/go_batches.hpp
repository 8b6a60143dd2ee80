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

// The relevant events of the format since Go 1.22, by their numbers in it.
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
  std::array<std::uint64_t, 4> args{};  // arguments without the time
};

// Events of one thread, with the ticks before the first one.
struct GoBatch {
  std::uint64_t ticks;
  ByteReader events;
};

// A part of a trace with its own names and numbers.
struct GoGeneration {
  std::uint64_t number = 0;
  double ns_per_tick = 0;
  std::map<std::uint64_t, std::vector<GoBatch>> batches{};  // batches by thread
  std::unordered_map<std::uint64_t, std::string_view> texts{};
  // Text of the outermost function, by stack.
  std::unordered_map<std::uint64_t, std::uint64_t> roots{};

  // Returns a text; "" for an unknown number.
  std::string_view TextOf(std::uint64_t text) const;
  // Returns the outermost function of a stack; "" if unknown.
  std::string_view RootOf(std::uint64_t stack) const;
};

// Divides a trace into generations. Texts refer to its bytes. All functions throw FormatError.
class GoGenerations {
 public:
  explicit GoGenerations(std::string_view bytes);

  // Returns the next one; none at the end.
  std::optional<GoGeneration> Next();

 private:
  // Reads the head of the batch that begins here; then `bytes` has its content.
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

// Reads the events of a thread in turn.
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
  std::size_t next_ = 0;  // index of the next batch
  std::optional<ByteReader> bytes_{};
  GoEvent122 event_{};
};

}  // namespace schedbench::graph
