// The poller of the process and its thread.
#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/stack_pool.hpp"
#include "fibers/net/poller.hpp"
#include "platform/threads/thread.hpp"
#include "platform/threads/thread_local_ptr.hpp"

#include <cerrno>
#include <new>
#include <optional>
#include <stdexcept>

namespace schedbench::fibers {

// Polls if no scheduler waits for events (PollTurn). Resumes fibers in one batch per executor.
class PollThread {
 public:
  // Ends the run (FailRun) when the system refuses a thread.
  explicit PollThread(Poller& poller)
      : poller_(poller) {
    try {
      thread_.emplace("netpoll", [this] { Run(); });
    } catch (const std::runtime_error& error) {
      FailRun(error.what(), FailureKind::kLimit);
    }
  }

  // Ends the thread, unless that thread itself calls this. No fiber is resumed afterwards.
  void Stop() noexcept {
    // release: pairs with the acquire in IsStopped().
    stopped_.Store(1, memory_order_release);
    poller_.Turn().Call();
    poller_.Break();
    if (thread_ && OwnThread::Get() == nullptr) {
      thread_->Join();
      thread_.reset();
    }
  }

 private:
  using OwnThread = platform::ThreadLocalPtr<PollThread, PollThread>;

  bool IsStopped() const noexcept {
    // acquire: pairs with the release in Stop().
    return stopped_.Load(memory_order_acquire) != 0;
  }

  void Run() noexcept {
    OwnThread::Set(this);
    PollTurn& turn = poller_.Turn();
    for (;;) {
      const std::uint32_t seen = turn.Seen();
      if (IsStopped()) {
        return;
      }
      if (!turn.IsNeeded() || !turn.TryWait(this)) {
        turn.AwaitCall(seen);
        continue;
      }
      ReadyFibers ready;
      while (!IsStopped() && turn.IsNeeded()) {
        poller_.Poll(-1, ready);
        ready.SubmitAll();
      }
      poller_.Leave();
    }
  }

  Poller& poller_;
  Atomic<std::uint32_t> stopped_{0};
  std::optional<platform::Thread> thread_;
};

namespace {

// Never freed: descriptors are closed while any thread runs, also while the process exits.
Atomic<Poller*> process_poller{nullptr};
platform::Mutex making_poller;
PollThread* poll_thread = nullptr;  // guarded by making_poller

// Ends the thread at process exit, before objects that are older than the poller are destroyed.
struct StopsPollThread {
  ~StopsPollThread() {
    if (poll_thread != nullptr) {
      poll_thread->Stop();
    }
  }
};

}  // namespace

// Returns null and a negative errno if the system refuses the poller's descriptors.
Poller* Poller::Make(int& error) noexcept {
  const executors::SchedulerSide side;
  // acquire: pairs with the release at the end.
  Poller* made = process_poller.Load(memory_order_acquire);
  if (made != nullptr) {
    return made;
  }
  const platform::MutexLock lock(making_poller);
  // relaxed: only written under `making_poller`.
  made = process_poller.Load(memory_order_relaxed);
  if (made != nullptr) {
    return made;
  }
  try {
    made = new Poller;
    error = made->events_.Open();
    if (error != 0) {
      delete made;
      return nullptr;
    }
    // The hook comes first: a thread that sees the poller, and pools it retires, see the hook.
    StackPool::AddAbandonHook(&Poller::Abandon);
    poll_thread = new PollThread(*made);
  } catch (const std::bad_alloc&) {
    FailRun("no memory for the poller", FailureKind::kLimit);
  }
  // release: pairs with the acquire in OfProcess() and in this function.
  process_poller.Store(made, memory_order_release);
  static const StopsPollThread at_exit;
  return made;
}

Poller* Poller::OfProcess() noexcept {
  const executors::SchedulerSide side;
  // acquire: pairs with the release in Make().
  return process_poller.Load(memory_order_acquire);
}

int Poller::Open(int fd, Descriptor*& opened) noexcept {
  int error = 0;
  Poller* const poller = Make(error);
  if (poller == nullptr) {
    return error;
  }
  Descriptor* const descriptor = poller->table_.Take();
  if (descriptor == nullptr) {
    return -ENOMEM;
  }
  descriptor->fd_.Store(fd, memory_order_relaxed);
  descriptor->gate_.Open();
  executors::HappensBefore(descriptor);  // pairs with its events
  {
    const executors::SchedulerSide side;
    error = poller->events_.Add(fd, DescriptorTable::KeyOf(*descriptor));
  }
  if (error != 0) {
    static_cast<void>(descriptor->gate_.Close() && descriptor->gate_.Leave());
    poller->table_.GiveBack(*descriptor);
    return error;
  }
  opened = descriptor;
  return 0;
}

void Poller::Remove(Descriptor& descriptor) noexcept {
  const executors::SchedulerSide side;
  OfProcess()->events_.Remove(descriptor.Fd());
}

int Poller::UseRing() noexcept {
  int error = 0;
  Poller* const poller = Make(error);
  if (poller == nullptr) {
    return error;
  }
  const platform::MutexLock lock(making_poller);
  error = poller->events_.OpenRing();
  if (error == 0) {
    // release: pairs with the acquire in RunsFiles().
    poller->ring_users_.FetchAdd(1, memory_order_release);
  }
  return error;
}

void Poller::LeaveRing() noexcept {
  // relaxed: the ring stays open for an operation that starts at this moment.
  OfProcess()->ring_users_.FetchSub(1, memory_order_relaxed);
}

void Poller::GiveBack(Descriptor& descriptor) noexcept {
  SB_ASSERT(descriptor.gate_.IsUnused(), "a descriptor is destroyed while an operation uses it");
  OfProcess()->table_.GiveBack(descriptor);
}

void Poller::Abandon(const StackPool& pool) noexcept {
  Poller* const poller = OfProcess();
  if (poller != nullptr) {
    poller->Forget(pool);
  }
  executors::HappensAfter(poller);
}

}  // namespace schedbench::fibers
