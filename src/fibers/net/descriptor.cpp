#include "fibers/net/descriptor.hpp"

#include "fibers/net/poller.hpp"
#include "fibers/net/ready_fibers.hpp"
#include "platform/net/socket.hpp"

#include <fmt/core.h>

namespace schedbench::fibers {

int Descriptor::Wait(Direction& direction, WaitKind kind, Deadline deadline) noexcept {
  direction.since_ns.Store(platform::NowNs(), memory_order_relaxed);
  const ReadySlot::Outcome outcome = direction.slot.Wait(deadline, {.kind = kind, .object = this});
  direction.since_ns.Store(0, memory_order_relaxed);
  switch (outcome) {
    case ReadySlot::Outcome::kReady:
      return 0;
    case ReadySlot::Outcome::kTimeout:
      return -ETIMEDOUT;
    case ReadySlot::Outcome::kClosed:
      break;
  }
  return -ECANCELED;
}

void Descriptor::Close() noexcept {
  if (!gate_.Close()) {
    return;
  }
  for (Direction* const direction : {&read_, &write_}) {
    FiberHandle fiber = direction->slot.Close();
    if (fiber.IsValid()) {
      fiber.Schedule();
    }
  }
  EndUse();
}

void Descriptor::Free() noexcept {
  Poller::Remove(*this);
  platform::CloseDescriptor(Fd());
}

std::string Descriptor::WaitName(const Waiting& waiting) {
  const auto* const descriptor = static_cast<const Descriptor*>(waiting.object);
  const int fd = descriptor->Fd();
  std::string text = fmt::format("{} on fd {}", ToText(waiting.kind), fd);
  if (descriptor->IsClosed()) {
    return text;
  }
  // Another thread may close it now: the report then shows a moment at which it was open.
  const bool names_peer = waiting.kind == WaitKind::kNetRead || waiting.kind == WaitKind::kNetWrite;
  const std::string peer = names_peer ? platform::PeerAddress(fd).Text() : "";
  if (!peer.empty()) {
    return text + ", peer " + peer;
  }
  const std::string local = platform::LocalAddress(fd).Text();
  return local.empty() ? text : text + ", at " + local;
}

std::string Descriptor::WaitText(const Waiting& waiting) {
  // The object is const only in a report.
  auto* const descriptor = const_cast<Descriptor*>(static_cast<const Descriptor*>(waiting.object));
  const std::uint64_t since =
      descriptor->DirectionOf(waiting.kind).since_ns.Load(memory_order_relaxed);
  if (since == 0) {
    return WaitName(waiting);  // in a batch of calls, or the wait has just ended
  }
  const std::uint64_t now = platform::NowNs();
  const double seconds = now > since ? static_cast<double>(now - since) * 1e-9 : 0.0;
  return fmt::format("{}, for {:.3g} s", WaitName(waiting), seconds);
}

IoResult<DescriptorOwner> DescriptorOwner::Open(int fd) noexcept {
  if (fd < 0) {
    return IoError{-fd};
  }
  Descriptor* opened = nullptr;
  const int error = Poller::Open(fd, opened);
  if (error != 0) {
    platform::CloseDescriptor(fd);
    return IoError{-error};
  }
  return DescriptorOwner(*opened);
}

DescriptorOwner::~DescriptorOwner() {
  if (descriptor_ != nullptr) {
    descriptor_->Close();
    Poller::GiveBack(*descriptor_);
  }
}

}  // namespace schedbench::fibers
