#pragma once

#include "base/atomic.hpp"

#include <cstdint>

namespace schedbench::futures {

// The consumer of a result, called when the result is there.
class IConsumer {
 public:
  // Called once, by the producer. The consumer manages its own lifetime: on return it may be gone.
  virtual void OnReady() noexcept = 0;

 protected:
  ~IConsumer() = default;
};

// The meeting of a producer and a consumer, in either order. Lock-free, one step each. States:
//   kNothing      neither has come
//   kReady        the result is there
//   kDropped      the consumer dropped it
//   a consumer    it waits
// (I1) The second to come handles the result: a consumer that finds kReady takes it, a producer
// that finds a consumer calls it. (I2) The one that came first touches nothing here after its step.
class Rendezvous {
 public:
  Rendezvous() = default;
  Rendezvous(const Rendezvous&) = delete;
  Rendezvous& operator=(const Rendezvous&) = delete;

  // Publishes the result once, and calls a waiting consumer. Returns false if the consumer has
  // dropped the result, so that the producer has to discard it. Only the producer calls it.
  bool Produce() noexcept {
    // release: pairs with the acquire in IsReady() and Arrive(); the result is complete. acquire:
    // pairs with the release in Arrive(); the consumer is complete.
    const std::uintptr_t state = state_.Exchange(kReady, memory_order_acq_rel);
    if (state == kDropped) {
      return false;
    }
    if (state != kNothing) {
      reinterpret_cast<IConsumer*>(state)->OnReady();
    }
    return true;
  }

  // Returns whether the result is there. Only the consumer calls it.
  bool IsReady() const noexcept {
    // acquire: pairs with the release in Produce().
    return state_.Load(memory_order_acquire) == kReady;
  }

  // Attaches `consumer`, once; it is called when the result is there. Returns false if that is so
  // already: then it is not called. Only the consumer calls it.
  bool TryAttach(IConsumer& consumer) noexcept {
    return Arrive(reinterpret_cast<std::uintptr_t>(&consumer));
  }

  // Drops the result, instead of TryAttach(). Returns false if the consumer has to discard it.
  bool TryDrop() noexcept {
    return Arrive(kDropped);
  }

 private:
  static constexpr std::uintptr_t kNothing = 0;
  static constexpr std::uintptr_t kReady = 1;
  static constexpr std::uintptr_t kDropped = 2;

  bool Arrive(std::uintptr_t consumer) noexcept {
    std::uintptr_t expected = kNothing;
    // release: pairs with the acquire in Produce(). acquire on failure: with the release there.
    return state_.CompareExchange(expected, consumer, memory_order_release, memory_order_acquire);
  }

  Atomic<std::uintptr_t> state_{kNothing};
};

}  // namespace schedbench::futures
