#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <type_traits>

namespace schedbench::trace {

// The kinds of actions of a worker, which records its own events.
enum class EventKind : std::uint8_t {
  kSwitch,
  kSpawn,
  kWake,
  kSteal,
  kOffload,
  kGrab,
  kPark,
  kUnpark,
  kSearchBegin,
  kSearchEnd,
  kQueueLength,
  kBlockingCall,
  kHandOff,
  kPreemption,
  kNetPoll,
  kWait,
};

// The reason why the code before a switch stopped.
enum class StopReason : std::uint8_t {
  kEnded,
  kYielded,    // can run again at once
  kSuspended,  // until it is woken
  kLoop,       // it was the worker's own loop
};

// The argument of kQueueLength: the queue that it describes.
enum class QueueKind : std::uint8_t { kLocal, kGlobal };

// The number in place of a fiber's for the worker's own loop.
inline constexpr std::uint32_t kNoFiber = 0;

// The first number of tasks other than fibers (WorkerLog::NextTask()).
inline constexpr std::uint32_t kFirstTask = std::uint32_t{1} << 31U;

// Returns the number of a fiber in events. Fibers 2^31 apart share one.
constexpr std::uint32_t FiberNumber(std::uint64_t id) noexcept {
  return static_cast<std::uint32_t>(id) & (kFirstTask - 1);
}

// Returns the number of an object in events, from its address: rarely shared at one time. 0: none.
inline std::uint32_t ObjectNumber(const void* object) noexcept {
  return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(object) >> 3U);
}

// The number of a fiber's name (Labels). An event has 14 bits for it.
using Label = std::uint16_t;
inline constexpr Label kNoLabel = 0;
inline constexpr Label kLastLabel = (1U << 14U) - 1;

// Returns the argument of kSwitch: why the old code stopped, and the label of the new code.
constexpr std::uint16_t SwitchArg(StopReason why, Label label) noexcept {
  return static_cast<std::uint16_t>((label << 2U) | static_cast<unsigned>(why));
}

constexpr StopReason ReasonOf(std::uint16_t switch_arg) noexcept {
  return static_cast<StopReason>(switch_arg & 3U);
}

constexpr Label LabelOf(std::uint16_t switch_arg) noexcept {
  return static_cast<Label>(switch_arg >> 2U);
}

// One event, written as two words of 8 bytes.
struct Event {
  std::uint64_t tsc = 0;    // on platform::TickClock
  std::uint32_t fiber = 0;  // FiberNumber(), or the meaning in kEventKinds
  std::uint16_t arg = 0;    // meaning in kEventKinds; larger values become 65535
  EventKind kind = EventKind::kSwitch;
  std::uint8_t worker = 0;  // low bits of the index of the recording worker

  bool operator==(const Event&) const = default;
};

static_assert(sizeof(Event) == 16 && std::is_trivially_copyable_v<Event>);

struct EventKindText {
  std::string_view name;
  std::string_view fiber;  // meaning of Event::fiber; "" if unused
  std::string_view arg;    // meaning of Event::arg; "" if unused
};

// The definition of the fields' meanings, in the order of EventKind.
inline constexpr std::array<EventKindText, 16> kEventKinds{{
    {"switch", "fiber that runs from now on; 0: the worker's loop", "SwitchArg()"},
    {"spawn", "new fiber, which can run", "its Label"},
    {"wake", "fiber that can run again", "executors::SchedulerHint"},
    {"steal", "index of the worker that was stolen from", "tasks taken"},
    {"offload", "", "tasks moved to the global queue"},
    {"global take", "", "tasks taken from the global queue"},
    {"park", "", ""},
    {"unpark", "", ""},
    {"search begin", "", ""},
    {"search end", "", "1: work was found"},
    {"queue length", "tasks in the queue", "QueueKind"},
    {"blocking call", "", "1: of fibers::Syscall"},
    {"hand-off", "", ""},
    {"preemption", "", "1: by a signal"},
    {"network poll", "", "fibers that it found ready"},
    {"wait", "ObjectNumber() of what the running fiber begins to wait for", "fibers::WaitKind"},
}};

constexpr const EventKindText& TextOf(EventKind kind) {
  return kEventKinds[static_cast<std::size_t>(kind)];
}

static_assert(TextOf(EventKind::kWait).name == "wait");

}  // namespace schedbench::trace
