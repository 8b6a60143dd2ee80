#include "fibers/net/ring_operation.hpp"

#include "executors/scheduler_side.hpp"
#include "fibers/core/suspend.hpp"
#include "fibers/net/poller.hpp"

#include <cerrno>
#include <utility>

namespace schedbench::fibers {

namespace {

// Returns whether the kernel has not run the operation, or only a part: it lacks resources, or the
// thread that started it has ended.
bool IsNotRun(int result) noexcept {
  return result == -EAGAIN || result == -EBUSY || result == -ECANCELED || result == -EINTR ||
         result == -ENOMEM;
}

}  // namespace

std::optional<std::int64_t> RingOperation::TryRun(const platform::FileRequest& request) noexcept {
  Poller* const poller = Poller::OfProcess();
  if (poller == nullptr || !poller->RunsFiles() || FiberThread::CurrentFiber() == nullptr) {
    return std::nullopt;
  }
  RingOperation operation(request, __builtin_frame_address(0));
  const auto start = [poller, &operation](FiberHandle fiber) {
    operation.fiber_ = std::move(fiber);
    poller->Start(operation);
  };
  Suspend(start, {.kind = WaitKind::kFile, .object = nullptr}, &operation.fiber_);
  if (IsNotRun(operation.result_)) {
    return std::nullopt;
  }
  return operation.result_;
}

void RingOperations::Begin(RingOperation& operation) noexcept {
  const platform::MutexLock lock(mutex_);
  operation.next_ = std::exchange(first_, &operation);
  if (operation.next_ != nullptr) {
    operation.next_->previous_ = &operation;
  }
}

FiberHandle RingOperations::End(const platform::ReadyEvent& ended) noexcept {
  const std::uint64_t address = ended.key & ~platform::ReadyEvent::kOperation;
  auto& operation = *reinterpret_cast<RingOperation*>(static_cast<std::uintptr_t>(address));
  {
    const executors::UserSide user;
    executors::HappensAfter(&operation);  // pairs with its start
  }
  const platform::MutexLock lock(mutex_);
  (operation.previous_ != nullptr ? operation.previous_->next_ : first_) = operation.next_;
  if (operation.next_ != nullptr) {
    operation.next_->previous_ = operation.previous_;
  }
  operation.result_ = ended.result;
  return std::move(operation.fiber_);
}

}  // namespace schedbench::fibers
