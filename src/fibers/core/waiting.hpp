#pragma once

#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

class Fiber;
class FiberHandle;

// What a suspended fiber waits for. For reports on hangs; nothing else depends on it.
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
  kSharedLock,     // of a RwLock
  kExclusiveLock,  // of a RwLock
  kJoin,
  kForkedCall,
  kSleep,
  kFile,  // for an operation that io_uring runs
  // For a Descriptor; these come last.
  kNetRead,
  kNetWrite,
  kNetAccept,
  kNetConnect,
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
    case WaitKind::kFuture:
      return "Future";
    case WaitKind::kSelect:
      return "Select of several, one of them Channel";
    case WaitKind::kCondVar:
      return "CondVar";
    case WaitKind::kSemaphore:
      return "Semaphore";
    case WaitKind::kSharedLock:
      return "shared RwLock";
    case WaitKind::kExclusiveLock:
      return "exclusive RwLock";
    case WaitKind::kJoin:
      return "the end of a fiber";
    case WaitKind::kForkedCall:
      return "a forked call";
    case WaitKind::kSleep:
      return "a time (Sleep)";
    case WaitKind::kFile:
      return "an operation on a file";
    case WaitKind::kNetRead:
      return "data to read";
    case WaitKind::kNetWrite:
      return "room to write";
    case WaitKind::kNetAccept:
      return "a connection to accept";
    case WaitKind::kNetConnect:
      return "a connection to be made";
  }
  return "";
}

// Whether the object of the wait is a Descriptor, which lives as long as the process.
constexpr bool IsForDescriptor(WaitKind kind) {
  return kind >= WaitKind::kNetRead;
}

struct Waiting {
  WaitKind kind = WaitKind::kNothing;
  const void* object = nullptr;  // the Mutex, Channel, ...; null where there is none

  bool operator==(const Waiting&) const = default;
};

// What a fiber leaves on its stack when it suspends. It is not cleared when the fiber resumes, which would cost some
// nanoseconds each time: the handle shows whether the fiber still waits.
struct Suspension {
  Waiting waiting;
  // The FiberHandle of the waiting fiber, where it is known: it is empty once the fiber has been made ready.
  const FiberHandle* handle;
  Fiber* fiber;       // the one that waits; set by FiberThread::Suspend()
  const void* frame;  // where its calls can be followed from; likewise
};

}  // namespace schedbench::fibers
