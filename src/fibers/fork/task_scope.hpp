#pragma once

#include "base/assert.hpp"
#include "fibers/fork/fork_join.hpp"

#include <concepts>
#include <exception>
#include <optional>
#include <source_location>
#include <type_traits>
#include <utility>

namespace schedbench::fibers {

// Several forked calls, each in a variable of its own, that are joined together. If their number is
// not known in the source, use ParallelFor().
//
//   TaskScope scope;
//   const auto left = scope.Fork([&] { return Sum(tree->left); });
//   const auto right = scope.Fork([&] { return Sum(tree->right); });
//   scope.Join();
//   return left.Get() + right.Get();
//
// As with ForkJoin(), the joining parent makes the calls that no other worker has taken, the newest
// first. Only the fiber that made a scope uses it. Scopes nest like blocks: the newest fork is
// joined first. The destructor joins, and drops exceptions.
class TaskScope {
 public:
  template <std::invocable F>
  class Task;

  TaskScope() = default;

  ~TaskScope() {
    static_cast<void>(JoinAll());
  }

  TaskScope(const TaskScope&) = delete;
  TaskScope& operator=(const TaskScope&) = delete;

  // Forks a call of `function`. The result must live, in the caller's frame, until the join.
  template <std::invocable F>
  [[nodiscard]] Task<F> Fork(F function,
                             std::source_location forked_at = std::source_location::current()) {
    return Task<F>(*this, std::move(function), forked_at);
  }

  // Waits for all calls. If some threw, throws the exception of the oldest fork among them.
  void Join() {
    if (std::exception_ptr error = JoinAll()) {
      std::rethrow_exception(std::move(error));
    }
  }

 private:
  struct Entry {
    void (*join)(Entry& entry, std::exception_ptr& error) noexcept;
    Entry* older;
    mutable bool is_joined = false;
    bool in_queue = false;
  };

  std::exception_ptr JoinAll() noexcept {
    std::exception_ptr error;
    while (newest_ != nullptr) {
      Entry& entry = *newest_;
      newest_ = entry.older;
      entry.is_joined = true;
      entry.join(entry, error);
    }
    return error;
  }

  Entry* newest_ = nullptr;
};

// A call that a scope has forked.
template <std::invocable F>
class TaskScope::Task : private TaskScope::Entry {
 public:
  using Result = std::invoke_result_t<F&>;

  // Joins this call, unless its scope did. Requires: the scope does not have a newer one.
  ~Task() {
    if (!this->is_joined) {
      SB_ASSERT(scope_.newest_ == this, "a task of a scope goes before a newer one was joined");
      scope_.newest_ = this->older;
      std::exception_ptr dropped;
      this->join(*this, dropped);
    }
  }

  Task(const Task&) = delete;
  Task& operator=(const Task&) = delete;

  // Returns the call's result. Requires: joined, without an exception.
  std::add_lvalue_reference_t<const Result> Get() const noexcept
    requires(!std::is_void_v<Result>)
  {
    SB_ASSERT(result_.has_value(), "the scope was not joined, or the call threw");
    return *result_;
  }

 private:
  friend class TaskScope;

  Task(TaskScope& scope, F&& function, std::source_location forked_at)
      : Entry{.join = &Join, .older = scope.newest_},
        scope_(scope),
        call_(std::move(function), forked_at) {
    ForkQueue* const queue = detail::QueueFor(__builtin_frame_address(0));
    this->in_queue = queue != nullptr && detail::TryPush(*queue, call_);
    if (!this->in_queue) {
      SB_ASSERT(FiberThread::CurrentFiber() != nullptr, "only a fiber can fork into a scope");
      detail::SubmitFiberOf(call_, executors::SchedulerHint::UpToYou);
    }
    scope.newest_ = this;
  }

  static void Join(Entry& entry, std::exception_ptr& error) noexcept {
    auto& self = static_cast<Task&>(entry);
    try {
      if (self.in_queue && detail::TryPopOf(self.call_)) {
        self.Keep([&self]() -> Result { return self.call_.Call(); });
      } else {
        self.Keep([&self]() -> Result { return self.call_.JoinFiber(); });
      }
    } catch (...) {
      error = std::current_exception();
    }
  }

  template <typename Call>
  void Keep(Call call) {
    if constexpr (std::is_void_v<Result>) {
      call();
    } else {
      result_.emplace(call());
    }
  }

  struct Nothing {};

  TaskScope& scope_;
  // Mutable, because a caller may keep its task in a const variable.
  mutable ForkedCallOf<F> call_;
  mutable std::optional<std::conditional_t<std::is_void_v<Result>, Nothing, Result>> result_;
};

}  // namespace schedbench::fibers
