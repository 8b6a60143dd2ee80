#pragma once

#include "base/atomic.hpp"
#include "fibers/core/machine_context.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace schedbench::tests {

// What the first switch to a stack carries.
struct FloorStart {
  void (*loop)(void* ring, std::size_t own);
  void* ring;
  std::size_t own;
};

// Stacks that take turns on one thread, in the order of a private queue. In each turn a fiber makes
// `kExchanges` atomic exchanges, pushes itself, pops the next one and switches to it. The switch is
// the one of src/fibers.
template <int kExchanges>
class FloorRing {
 public:
  // As many stacks, with tops in different cache sets.
  explicit FloorRing(std::size_t stacks)
      : memory_(stacks * kStackBytes),
        contexts_(stacks),
        queue_(Capacity(stacks)),
        mask_(queue_.size() - 1) {
    constexpr std::size_t kLine = 64;
    constexpr std::size_t kColours = 32;
    for (std::size_t i = 1; i < stacks; ++i) {
      std::byte* top = memory_.data() + (i + 1) * kStackBytes - i % kColours * kLine;
      top -= reinterpret_cast<std::uintptr_t>(top) % kLine;
      contexts_[i] = fibers::MachineContext::Make(top, kStackBytes / 2);
    }
    for (std::size_t i = 1; i < stacks; ++i) {
      FloorStart start{.loop = &FloorRing::Loop, .ring = this, .own = i};
      fibers::MachineContext::Switch(contexts_[0], contexts_[i], &start);
      Push(i);
    }
  }

  // Takes about `turns` turns, and ends with the calling thread's own stack. Returns how many.
  std::uint64_t Run(std::uint64_t turns) noexcept {
    const std::uint64_t begin = tail_;
    while (tail_ - begin < turns) {
      Turn(0);
    }
    return tail_ - begin;
  }

 private:
  static constexpr std::size_t kStackBytes = 8192;

  static std::size_t Capacity(std::size_t stacks) noexcept {
    std::size_t capacity = 2;
    while (capacity < stacks) {
      capacity *= 2;
    }
    return capacity;
  }

  static void Loop(void* ring, std::size_t own) noexcept {
    auto& self = *static_cast<FloorRing*>(ring);
    fibers::MachineContext::Switch(self.contexts_[own], self.contexts_[0], nullptr);
    for (;;) {
      self.Turn(own);
    }
  }

  SB_ALWAYS_INLINE void Push(std::size_t stack) noexcept {
    queue_[tail_++ & mask_] = stack;
  }

  SB_ALWAYS_INLINE void Turn(std::size_t own) noexcept {
    for (Atomic<std::uint64_t>& channel : channels_) {
      // acq_rel: pairs with the fiber at the other end of the channel.
      channel.Exchange(own, memory_order_acq_rel);
    }
    Push(own);
    const std::size_t next = queue_[head_++ & mask_];
    fibers::MachineContext::Switch(contexts_[own], contexts_[next], nullptr);
  }

  std::vector<std::byte> memory_;
  std::vector<fibers::MachineContext> contexts_;
  std::vector<std::size_t> queue_;  // a power of two
  std::size_t mask_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
  std::array<Atomic<std::uint64_t>, kExchanges> channels_{};
};

}  // namespace schedbench::tests

namespace schedbench::fibers {

// In place of the one of src/fibers, which this program does not contain.
extern "C" void SchedbenchEnterStack(void* message) noexcept {
  const auto start = *static_cast<const tests::FloorStart*>(message);
  start.loop(start.ring, start.own);
}

}  // namespace schedbench::fibers
