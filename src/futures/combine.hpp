#pragma once

#include "base/assert.hpp"
#include "base/atomic.hpp"
#include "futures/future.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace schedbench::futures {

// A state for several futures. Several threads may call Derived::OnResult(index, Result<T>).
template <typename Derived, typename T, typename U>
class CombinedState : public State<U> {
 public:
  // Makes a state for `count` futures.
  explicit CombinedState(std::size_t count)
      : inputs_(std::make_unique<Input[]>(count)) {
  }

  // Consumes the futures. OnResult() may run at once. Requires: the object outlives the call.
  void Start(std::vector<Future<T>>& futures) noexcept {
    // All futures are released first, because the last result may free this object.
    const std::size_t count = futures.size();
    for (std::size_t i = 0; i < count; ++i) {
      inputs_[i].owner = static_cast<Derived*>(this);
      inputs_[i].index = i;
      inputs_[i].state = &futures[i].Release();
    }
    for (std::size_t i = 0; i < count; ++i) {
      Input& input = inputs_[i];
      if (!input.state->TryAttach(input)) {
        input.OnReady();
      }
    }
  }

 private:
  struct Input final : IConsumer {
    void OnReady() noexcept override {
      owner->OnResult(index, state->Take());
    }

    Derived* owner = nullptr;
    std::size_t index = 0;
    State<T>* state = nullptr;
  };

  const std::unique_ptr<Input[]> inputs_;
};

template <typename T>
struct AllOf {
  using Type = std::vector<T>;
};

template <>
struct AllOf<void> {
  using Type = void;
};

// Returns a future of all values of `futures`, in their order (void: of their completion). If there
// are errors, it is the first of them in the order of `futures`. It always waits for all, so no
// work of them continues afterwards. Without futures it is ready at once. It allocates for itself
// and for each of its arrays, not for each future.
template <typename T>
auto All(std::vector<Future<T>> futures) {
  using U = typename AllOf<T>::Type;

  class Gathering final : public CombinedState<Gathering, T, U> {
   public:
    explicit Gathering(std::size_t count)
        : CombinedState<Gathering, T, U>(count),
          results_(count),
          left_(count + 1) {
    }

    void OnResult(std::size_t index, Result<T> result) noexcept {
      results_[index].emplace(std::move(result));
      CompleteOne();
    }

    void CompleteOne() noexcept {
      // release: pairs with the acquire of the last one. acquire: the same pair.
      if (left_.FetchSub(1, memory_order_acq_rel) == 1) {
        this->Set(Capture([this] { return Gathered(); }));
      }
    }

   private:
    Result<U> Gathered() {
      for (std::optional<Result<T>>& result : results_) {
        if (!result->HasValue()) {
          return Result<U>(result->Error());
        }
      }
      if constexpr (std::is_void_v<T>) {
        return Result<U>(typename Result<U>::Unit{});
      } else {
        std::vector<T> values;
        values.reserve(results_.size());
        for (std::optional<Result<T>>& result : results_) {
          values.push_back((*std::move(result)).Value());
        }
        return Result<U>(std::move(values));
      }
    }

    std::vector<std::optional<Result<T>>> results_;  // one thread writes each, the last reads all
    Atomic<std::size_t> left_;                       // missing results, and the caller of All()
  };

  auto* const all = new Gathering(futures.size());
  Future<U> future(*all);
  all->Start(futures);
  all->CompleteOne();
  return future;
}

// First() counts missing results in the low half of a word, and values so far in the high half.
inline constexpr std::uint64_t kOneValue = std::uint64_t{1} << 32;

// Returns a future of the first value, or of the last error if all fail. Later results are dropped,
// errors too. Requires: at least one.
template <typename T>
Future<T> First(std::vector<Future<T>> futures) {
  class Race final : public CombinedState<Race, T, T> {
   public:
    explicit Race(std::size_t count)
        : CombinedState<Race, T, T>(count),
          count_(count),
          users_(count + 2) {
    }

    void OnResult(std::size_t /*index*/, Result<T> result) noexcept {
      // relaxed: one location, which decides which input sets the result; Set() orders it.
      const std::uint64_t before = count_.FetchAdd(
          result.HasValue() ? kOneValue - 1 : -std::uint64_t{1}, memory_order_relaxed);
      const bool is_first_value = result.HasValue() && before < kOneValue;
      const bool is_last_error = !result.HasValue() && before == 1;
      if (is_first_value || is_last_error) {
        this->Set(std::move(result));
      }
      ReleaseUser();
    }

    void ReleaseUser() noexcept {
      // release: pairs with the acquire of the last one, which frees all. acquire: that pair.
      if (users_.FetchSub(1, memory_order_acq_rel) == 1) {
        delete this;
      }
    }

   private:
    void Free() noexcept override {
      ReleaseUser();
    }

    Atomic<std::uint64_t> count_;
    // Number of unfinished inputs, the consumer, and the caller of First().
    Atomic<std::size_t> users_;
  };

  SB_ASSERT(!futures.empty(), "the first of nothing");
  SB_ASSERT(futures.size() < std::uint32_t{0xffffffff}, "more futures than can be counted");
  auto* const race = new Race(futures.size());
  Future<T> future(*race);
  race->Start(futures);
  race->ReleaseUser();
  return future;
}

}  // namespace schedbench::futures
