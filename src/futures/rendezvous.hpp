#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::futures {

// The consumer of a result, called when the result is there.
class IConsumer {
 public:
  // Called once, by the producer. The consumer manages its own lifetime: it may be gone when this returns.
  virtual void OnReady() noexcept = 0;

 protected:
  ~IConsumer() = default;
};

// Where one producer and one consumer meet, in either order: lock-free, and each makes one step.
//
// The one word holds
//   kNothing      neither has come
//   kReady        the result is there
//   kDropped      the consumer gave it up
//   a consumer    it waits
//
// (I1) The second to come handles the result: a consumer that finds kReady takes it itself, a producer that finds a consumer
// calls it. (I2) A producer that was first, and a consumer that was first, touch nothing here after their step.
class Rendezvous {
 public:
  Rendezvous() = default;
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  // The producer, once. Calls a consumer that waits. Returns false where the consumer has dropped the result, which is
  // then the producer's to throw away.
  bool Produce() noexcept {
    // release: pairs with the acquire in IsReady() and Arrive(); the result is written. acquire: pairs with the release in
    // Arrive(); the consumer is made.
    const std::uintptr_t state = state_.Exchange(kReady, memory_order_acq_rel);
    if (state == kDropped) {
      return false;
    }
    if (state != kNothing) {
      reinterpret_cast<IConsumer*>(state)->OnReady();
    }
    return true;
  }

  // Whether the result is there. By the consumer.
  bool IsReady() const noexcept {
    // acquire: pairs with the release in Produce().
    return state_.Load(memory_order_acquire) == kReady;
  }

  // The consumer, once: `consumer` is called when the result is there. Returns false where it is there already: then it is
  // not called.
  bool TryAttach(IConsumer& consumer) noexcept {
    return Arrive(reinterpret_cast<std::uintptr_t>(&consumer));
  }

  // The consumer, in place of TryAttach(): needs no value. Returns false where the result is there already, to be thrown
  // away.
  bool TryDrop() noexcept {
    return Arrive(kDropped);
  }

 private:
  static constexpr std::uintptr_t kNothing = 0;
  static constexpr std::uintptr_t kReady = 1;
  static constexpr std::uintptr_t kDropped = 2;

  bool Arrive(std::uintptr_t consumer) noexcept {
    std::uintptr_t expected = kNothing;
    // release: pairs with the acquire in Produce(). acquire: pairs with the release in Produce(), on failure.
    return state_.CompareExchange(expected, consumer, memory_order_release, memory_order_acquire);
  }

  Atomic<std::uintptr_t> state_{kNothing};
};

}  // namespace schedbench::futures
