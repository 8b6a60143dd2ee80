#pragma once

#include "base/attributes.hpp"
#include "fibers/core/local_table.hpp"

#include <concepts>
#include <memory>

namespace schedbench::fibers {

// A variable of which each fiber has its own, wherever it runs; what `thread_local` is to threads, and must not be to
// fibers. A thread that runs no fiber has one too. Made when a fiber first asks for it, destroyed when the fiber ends, by
// the fiber itself: the newest first, and the destructor may suspend. A fiber that never asks pays nothing; others pay one
// allocation for each variable and a look-up of a few nanoseconds.
//
// The FiberLocal itself may go before the fibers: their values stay till they end. Any fiber, any thread.
template <typename T>
class FiberLocal {
 public:
  static_assert(std::default_initializable<T>, "values begin as T()");

  FiberLocal() = default;
  FiberLocal(const FiberLocal&) = delete;
  FiberLocal& operator=(const FiberLocal&) = delete;

  // The value of the caller. Keep the reference as long as you like within the fiber.
  T& Get() {
    LocalTable& table = LocalTable::Current();
    if (void* const value = table.Find(place_)) [[likely]] {
      return *static_cast<T*>(value);
    }
    return Make(table);
  }

  T& operator*() {
    return Get();
  }

  T* operator->() {
    return &Get();
  }

  // The value of the caller if it has been made, else null.
  T* TryGet() {
    return static_cast<T*>(LocalTable::Current().Find(place_));
  }

 private:
  SB_NOINLINE T& Make(LocalTable& table) {
    auto value = std::make_unique<T>();
    void* const kept =
        table.Put(place_, value.get(), [](void* old) { delete static_cast<T*>(old); });
    static_cast<void>(value.release());
    return *static_cast<T*>(kept);
  }

  const LocalPlace place_;
};

}  // namespace schedbench::fibers
