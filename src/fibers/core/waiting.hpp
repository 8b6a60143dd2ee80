#pragma once

#include "base/enum_text.hpp"

#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

class Fiber;
class FiberHandle;

// The kind of object that a suspended fiber waits for. Only reports on hangs use it.
enum class WaitKind : std::uint8_t {
  kNothing,  // running, or ready to run
  kResume,   // for the holder of its handle (Suspend)
  kMutex,
  kSend,
  kReceive,
  kEvent,
  kWaitGroup,
  kFuture,
  kSelect,
  kCondVar,
  kSemaphore,
  kSharedLock,     // a RwLock's
  kExclusiveLock,  // a RwLock's
  kJoin,
  kForkedCall,
  kSleep,
  kFile,  // for an operation of io_uring
  // Waits for a Descriptor. These come last.
  kNetRead,
  kNetWrite,
  kNetAccept,
  kNetConnect,
};

// Returns the text for reports: "Mutex", "send to Channel", ...
constexpr std::string_view ToText(WaitKind kind) {
  return EnumText(kind, {"nothing",
                         "a resume (Suspend), or has got it",
                         "Mutex",
                         "send to Channel",
                         "receive from Channel",
                         "Event",
                         "WaitGroup",
                         "Future",
                         "Select of several, one of them Channel",
                         "CondVar",
                         "Semaphore",
                         "shared RwLock",
                         "exclusive RwLock",
                         "the end of a fiber",
                         "a forked call",
                         "a time (Sleep)",
                         "an operation on a file",
                         "data to read",
                         "room to write",
                         "a connection to accept",
                         "a connection to be made"});
}

// Returns whether the object of the wait is a Descriptor, which lives as long as the process.
constexpr bool IsForDescriptor(WaitKind kind) {
  return kind >= WaitKind::kNetRead;
}

struct Waiting {
  WaitKind kind = WaitKind::kNothing;
  const void* object = nullptr;  // the Mutex, Channel, ...; or null

  bool operator==(const Waiting&) const = default;
};

// Data that a fiber leaves on its stack when it suspends. A resume does not clear it, which would
// cost some nanoseconds: the handle shows whether the fiber still waits.
struct Suspension {
  Waiting waiting;
  // The FiberHandle of the waiting fiber, or null if unknown. It is empty once the fiber is ready.
  const FiberHandle* handle;
  Fiber* fiber;       // the waiting fiber; FiberThread::Suspend() sets it
  const void* frame;  // where a walk of its calls starts; FiberThread::Suspend() sets it
};

// The wait of a fiber whose join runs another one inline, above it on its stack.
struct InlineJoin : Suspension {
  const InlineJoin* below;  // the wait of the fiber that runs this one inline; or null
};

}  // namespace schedbench::fibers
