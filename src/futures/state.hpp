#pragma once

#include "base/failure.hpp"
#include "futures/rendezvous.hpp"
#include "futures/result.hpp"

#include <optional>
#include <utility>

namespace schedbench::futures {

// Ends the run: an exception that no code can see any more is like one that escapes a fiber.
[[noreturn]] void FailUnseen(const std::exception_ptr& error) noexcept;

// One block of memory between the producer of a result and its consumer. The second to come to the rendezvous frees it, so that
// it needs no count of references. Producers derive from it and put there what else they need: a task, a function, a place for
// another consumer.
template <typename T>
class State {
 public:
  State() = default;
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  // ---- The producer, once ----

  // Publishes the result: calls the consumer if it has attached itself, and frees the state if it has dropped the result. An
  // error that is dropped ends the run. `this` may be gone afterwards.
  void Set(Result<T> result) noexcept {
    result_.emplace(std::move(result));
    if (!rendezvous_.Produce()) {
      Discard();
    }
  }

  // ---- The consumer: TryAttach() or Drop() once; Take() when the result is there ----

  // Whether the result is there: then the consumer may call Take().
  bool IsReady() const noexcept {
    return rendezvous_.IsReady();
  }

  // Attaches `consumer`, which is called when the result is there. False: the result is there already, and `consumer` is not
  // called.
  bool TryAttach(IConsumer& consumer) noexcept {
    return rendezvous_.TryAttach(consumer);
  }

  // Gives up the result. An exception that it holds, or will hold, ends the run.
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

  // Neither side needs it any more.
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
  std::optional<Result<T>> result_;  // from Set() to Take()
};

}  // namespace schedbench::futures
