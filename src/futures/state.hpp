#pragma once

#include "base/failure.hpp"
#include "futures/rendezvous.hpp"
#include "futures/result.hpp"

#include <optional>
#include <utility>

namespace schedbench::futures {

// Ends the run: an exception that code can no longer see is like one that escapes a fiber.
[[noreturn]] void FailUnseen(const std::exception_ptr& error) noexcept;

// One block of memory between the producer of a result and its consumer. The second to come to the
// rendezvous frees it, so it does not need a reference count. Producers derive from it and add
// members: a task, a function, another consumer.
template <typename T>
class State {
 public:
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // ---- The producer calls this once ----

  // Publishes the result: calls an attached consumer, and frees the state if the result was
  // dropped. A dropped error ends the run. `this` may be gone afterwards.
  void Set(Result<T> result) noexcept {
    result_.emplace(std::move(result));
    if (!rendezvous_.Produce()) {
      Discard();
    }
  }

  // ---- The consumer calls TryAttach() or Drop() once, and Take() when the result is there ----

  // Returns whether the result is there: then the consumer may call Take().
  bool IsReady() const noexcept {
    return rendezvous_.IsReady();
  }

  // Attaches `consumer`, which is called when the result is there. Returns false if it is there
  // already: then `consumer` is not called.
  bool TryAttach(IConsumer& consumer) noexcept {
    return rendezvous_.TryAttach(consumer);
  }

  // Drops the result. Its exception, now or later, ends the run.
  void Drop() noexcept {
    if (!rendezvous_.TryDrop()) {
      Discard();
    }
  }

  // Moves the result out and frees the state.
  Result<T> Take() noexcept {
    Result<T> result = *std::move(result_);
    Free();
    return result;
  }

 protected:
  virtual ~State() = default;

  // Frees the state when both sides have finished.
  virtual void Free() noexcept {
    delete this;
  }

 private:
  void Discard() noexcept {
    const Result<T> result = Take();
    if (!result.HasValue()) {
      FailUnseen(result.Error());
    }
  }

  Rendezvous rendezvous_;
  std::optional<Result<T>> result_;  // set from Set() to Take()
};

}  // namespace schedbench::futures
