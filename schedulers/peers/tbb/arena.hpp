#pragma once

#include "executors/task.hpp"
#include "schedulers/peers/config.hpp"
#include "schedulers/peers/native_scheduler.hpp"

#include <tbb/global_control.h>
#include <tbb/task_arena.h>
#include <tbb/task_group.h>
#include <tbb/task_scheduler_observer.h>

#include <concepts>
#include <utility>

namespace schedbench::schedulers::peers {

// An arena of oneTBB with its own kind of tasks. oneTBB counts the thread that waits for tasks as a
// worker. So `workers` threads may run tasks: the one that starts a round and `workers` - 1 more.
// The tasks of a task_group go to the deque of the thread that starts them, newest first. A thread
// that waits for a group runs other tasks in the meantime, on its own stack.
class TbbArena final : public NativeScheduler {
 public:
  explicit TbbArena(const PeerConfig& config)
      : NativeScheduler(config.workers),
        most_(tbb::global_control::max_allowed_parallelism, config.workers),
        arena_(static_cast<int>(config.workers.value), 1),
        context_(tbb::task_group_context::isolated),
        all_(context_) {
    arena_.initialize();
    places_.observe(true);
    open_ = this;
  }

  ~TbbArena() noexcept override {
    WaitIdle();
    places_.observe(false);
    open_ = nullptr;
  }

  TbbArena(const TbbArena&) = delete;
  TbbArena& operator=(const TbbArena&) = delete;

  // Returns the arena that is open: a process has one session at a time.
  static TbbArena& Open() noexcept {
    return *open_;
  }

  void Submit(executors::TaskBase* task, executors::SchedulerHint /*hint*/) noexcept override {
    Start([task] { task->Run(); });
  }

  // Starts a task that nothing but WaitIdle() waits for.
  template <std::invocable Body>
  void Start(Body body) {
    StartIn(all_, std::move(body));
  }

  // Starts a task of the group.
  template <std::invocable Body>
  void StartIn(tbb::task_group& group, Body body) {
    CountSpawn();
    auto counted = [body = std::move(body)] {
      CountRun();
      body();
    };
    if (current_ != nullptr) {
      group.run(std::move(counted));
    } else {
      // enqueue() would let oneTBB start a second thread for a single worker.
      arena_.execute([&group, &counted] { group.run(std::move(counted)); });
    }
  }

  // Runs tasks until those of the group have ended.
  void Wait(tbb::task_group& group) {
    if (current_ != nullptr) {
      group.wait();
    } else {
      arena_.execute([&group] { group.wait(); });
    }
  }

  // Requires: the caller is not a task.
  void WaitIdle() noexcept override {
    Wait(all_);
  }

  void Stop() noexcept override {
    WaitIdle();
  }

  // Returns the context of all groups. By default each group has a context of its own, to cancel it
  // by; a fork of `fib` then takes 91 ns and not 60.
  tbb::task_group_context& Context() noexcept {
    return context_;
  }

 private:
  // Assigns a worker to each thread that enters the arena, by the thread's index there.
  class Places final : public tbb::task_scheduler_observer {
   public:
    explicit Places(TbbArena& arena)
        : task_scheduler_observer(arena.arena_),
          arena_(arena) {
    }

    void on_scheduler_entry(bool /*is_worker*/) override {
      current_ = &arena_.At(static_cast<std::size_t>(tbb::this_task_arena::current_thread_index()));
    }

    void on_scheduler_exit(bool /*is_worker*/) override {
      current_ = nullptr;
    }

   private:
    TbbArena& arena_;
  };

  static inline TbbArena* open_ = nullptr;

  const tbb::global_control most_;
  tbb::task_arena arena_;
  tbb::task_group_context context_;
  tbb::task_group all_;
  Places places_{*this};
};

}  // namespace schedbench::schedulers::peers
