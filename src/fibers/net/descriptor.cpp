#include "fibers/net/descriptor.hpp"

#include "fibers/net/poller.hpp"
#include "fibers/net/ready_fibers.hpp"
#include "platform/net/socket.hpp"

#include <fmt/core.h>

namespace schedbench::fibers {

int Descriptor::Wait(WaitKind kind, Deadline deadline) noexcept {
  auto& since_ns = IsWrite(kind) ? write_since_ns_ : read_since_ns_;
  // relaxed: for reports.
  since_ns.Store(platform::NowNs(), memory_order_relaxed);
  switch (SlotOf(kind).Wait(deadline, {.kind = kind, .object = this})) {
    case ReadySlot::Outcome::kReady:
      return 0;
    case ReadySlot::Outcome::kClosed:
      return -ECANCELED;
    case ReadySlot::Outcome::kTimeout:
      return -ETIMEDOUT;
    case ReadySlot::Outcome::kBusy:
      break;
  }
  return -EBUSY;
}

void Descriptor::Close() noexcept {
  if (!gate_.Close()) {
    return;
  }
  for (ReadySlot* const slot : {&read_, &write_}) {
    FiberHandle fiber = slot->Close();
    if (fiber.IsValid()) {
      fiber.Schedule();
    }
  }
  EndUse();
}

void Descriptor::Free() noexcept {
  const int fd = Fd();
  Poller::Remove(fd);
  platform::CloseDescriptor(fd);
}

std::string Descriptor::WaitName(const Waiting& waiting) {
  const auto* const descriptor = static_cast<const Descriptor*>(waiting.object);
  const int fd = descriptor->Fd();
  std::string text = fmt::format("{} on fd {}", ToText(waiting.kind), fd);
  if (descriptor->IsClosed()) {
    return text;
  }
  // Another thread may close it meanwhile: the report is of a moment then in which it was open.
  const bool names_peer = waiting.kind == WaitKind::kNetRead || waiting.kind == WaitKind::kNetWrite;
  const std::string peer = names_peer ? platform::PeerAddress(fd).Text() : "";
  if (!peer.empty()) {
    return text + ", peer " + peer;
  }
  const std::string local = platform::LocalAddress(fd).Text();
  return local.empty() ? text : text + ", at " + local;
}

std::string Descriptor::WaitText(const Waiting& waiting) {
  const auto* const descriptor = static_cast<const Descriptor*>(waiting.object);
  const auto& since_ns =
      IsWrite(waiting.kind) ? descriptor->write_since_ns_ : descriptor->read_since_ns_;
  // relaxed: for reports.
  const std::uint64_t since = since_ns.Load(memory_order_relaxed);
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
