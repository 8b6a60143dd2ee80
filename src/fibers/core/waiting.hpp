#pragma once

#include "base/attributes.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

// What a suspended fiber waits for. For whoever has to explain why nothing goes on; nothing depends on it.
enum class WaitKind : std::uint8_t {
  kNothing,  // running, or ready to run
  kResume,   // somebody has its handle (Suspend)
  kMutex,
  kSend,
  kReceive,
  kEvent,
  kWaitGroup,
};

// "Mutex", "Channel to send", ...
constexpr std::string_view ToText(WaitKind kind) {
  switch (kind) {
    case WaitKind::kNothing:
      return "nothing";
    case WaitKind::kResume:
      return "a resume (Suspend), or has got it";
    case WaitKind::kMutex:
      return "Mutex";
    case WaitKind::kSend:
      return "send to Channel";
    case WaitKind::kReceive:
      return "receive from Channel";
    case WaitKind::kEvent:
      return "Event";
    case WaitKind::kWaitGroup:
      return "WaitGroup";
  }
  return "";
}

struct Waiting {
  WaitKind kind = WaitKind::kNothing;
  const void* object = nullptr;  // the Mutex, Channel, ...; null where there is none

  // One word, so that writing it costs one store: the kind in the top byte, which no address of a process uses.
  static constexpr unsigned kKindShift = 56;

  SB_ALWAYS_INLINE std::uint64_t Packed() const noexcept {
    return static_cast<std::uint64_t>(kind) << kKindShift |
           static_cast<std::uint64_t>(reinterpret_cast<std::uintptr_t>(object));
  }

  static Waiting Unpacked(std::uint64_t word) noexcept {
    constexpr std::uint64_t kAddress = (std::uint64_t{1} << kKindShift) - 1;
    return {.kind = static_cast<WaitKind>(word >> kKindShift),
            .object = reinterpret_cast<const void*>(static_cast<std::uintptr_t>(word & kAddress))};
  }

  bool operator==(const Waiting&) const = default;
};

}  // namespace schedbench::fibers
