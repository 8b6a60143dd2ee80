#pragma once

#include "base/attributes.hpp"
#include "fibers/core/local_table.hpp"

#include <concepts>
#include <memory>

namespace schedbench::fibers {

// A variable with a value for each fiber, like `thread_local` for threads, which fibers must not
// use. A thread outside of fibers has a value too. The value is made when a fiber first asks for
// it. The fiber itself destroys its values when it ends, the newest first, and a destructor may
// suspend. A fiber that never asks pays nothing; others pay one allocation per variable and a
// look-up of a few nanoseconds. The FiberLocal may be destroyed before the fibers: their values
// stay until they end. Any fiber, any thread.
template <typename T>
class FiberLocal {
 public:
  static_assert(std::default_initializable<T>, "values begin as T()");

  FiberLocal() = default;
  FiberLocal(const FiberLocal&) = delete;
  FiberLocal& operator=(const FiberLocal&) = delete;

  // Returns the caller's value. The reference is valid until the fiber ends.
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

  // Returns the caller's value if it has been made, otherwise null.
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
