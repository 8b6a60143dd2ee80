// Models of what blocks threads: platform/threads/mutex, platform/threads/thread_event, and of
// metrics/stopwatch.
#include "metrics/stopwatch.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/threads/thread_event.hpp"
#include "tests/sim/models/support.hpp"

#include <memory>

namespace schedbench::sim::platform_model {

namespace {

using platform::ConditionVariable;
using platform::Mutex;
using platform::MutexLock;
using platform::Thread;
using platform::ThreadEvent;

const ModelRegistration kExclusion2{{
    .name = "thread_mutex/two_threads",
    .claim = "one thread at a time holds the mutex, sees what the last one wrote, and none sleeps "
             "forever",
    .limits = {.preemptions = 4},
    .body =
        [] {
          Mutex mutex;
          Cell<int> count(0);
          const auto add = [&] {
            for (int i = 0; i < 2; ++i) {
              const MutexLock lock(mutex);
              count.Write(count.Read() + 1);
            }
          };
          Thread other("other", add);
          add();
          other.Join();
          Check(count.Read() == 4, "an update is lost");
        },
}};

const ModelRegistration kExclusion3{{
    .name = "thread_mutex/three_threads",
    .claim = "the same with two that wait at a time",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Mutex mutex;
          Cell<int> count(0);
          const auto add = [&] {
            const MutexLock lock(mutex);
            count.Write(count.Read() + 1);
          };
          {
            Thread first("first", add);
            Thread second("second", add);
            add();
          }
          Check(count.Read() == 3, "an update is lost");
        },
}};

const ModelRegistration kDestroyed{{
    .name = "thread_mutex/destroyed_by_the_next_owner",
    .claim = "Unlock touches the word for the last time when it frees it",
    .limits = {.preemptions = 4},
    .body =
        [] {
          struct Shared {
            Mutex mutex;
            int users = 2;
          };
          auto* shared = new Shared;
          const auto leave = [shared] {
            shared->mutex.Lock();
            const bool last = --shared->users == 0;
            shared->mutex.Unlock();
            if (last) {
              delete shared;
            }
          };
          Thread other("other", leave);
          leave();
        },
}};

const ModelRegistration kCondition{{
    .name = "condition_variable/notify_one",
    .claim = "a notification after the change of the condition is never missed",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Mutex mutex;
          ConditionVariable changed;
          Cell<int> items(0);
          const auto take = [&] {
            const MutexLock lock(mutex);
            while (items.Read() == 0) {
              changed.Wait(mutex);
            }
            items.Write(items.Read() - 1);
          };
          Thread first("first", take);
          Thread second("second", take);
          for (int i = 0; i < 2; ++i) {
            {
              const MutexLock lock(mutex);
              items.Write(items.Read() + 1);
            }
            changed.NotifyOne();
          }
        },
}};

const ModelRegistration kNotifyAll{{
    .name = "condition_variable/notify_all",
    .claim = "NotifyAll lets all waiters see the condition",
    .limits = {.preemptions = 3},
    .body =
        [] {
          Mutex mutex;
          ConditionVariable changed;
          Cell<bool> open(false);
          const auto pass = [&] {
            const MutexLock lock(mutex);
            while (!open.Read()) {
              changed.Wait(mutex);
            }
          };
          Thread first("first", pass);
          Thread second("second", pass);
          {
            const MutexLock lock(mutex);
            open.Write(true);
          }
          changed.NotifyAll();
        },
}};

const ModelRegistration kEvent{{
    .name = "thread_event/set_and_wait",
    .claim = "a waiting thread sees what was written before Set, and may destroy the event at once",
    .limits = {.preemptions = 4},
    .body =
        [] {
          auto* event = new ThreadEvent;
          Cell<int> value(0);
          Thread setter("setter", [&] {
            value.Write(1);
            event->Set();
          });
          event->Wait();
          Check(value.Read() == 1, "what was written before Set is not seen");
          delete event;
        },
}};

const ModelRegistration kEventTimed{{
    .name = "thread_event/timed_wait",
    .claim = "a wait with a limit says whether the event is set",
    .limits = {.preemptions = 4},
    .body =
        [] {
          ThreadEvent event;
          Cell<int> value(0);
          Thread setter("setter", [&] {
            value.Write(1);
            event.Set();
          });
          if (event.WaitFor(std::chrono::hours(1))) {
            Check(value.Read() == 1, "what was written before Set is not seen");
          }
          setter.Join();
          Check(event.IsSet(), "Set is not seen after a join");
        },
}};

const ModelRegistration kStopwatch{{
    .name = "stopwatch/readings",
    .claim = "readings never go back, and a stopped one stands still",
    .limits = {.preemptions = 4},
    .body =
        [] {
          metrics::Stopwatch<"time", "a test"> stopwatch;
          Thread reader("reader", [&] {
            std::uint64_t last = stopwatch.Get();
            for (int i = 0; i < 2; ++i) {
              const std::uint64_t now = stopwatch.Get();
              Check(now >= last, "a reading goes back");
              last = now;
            }
          });
          stopwatch.Start();
          stopwatch.Stop();
          const std::uint64_t stood = stopwatch.Get();
          stopwatch.Start();
          reader.Join();
          stopwatch.Stop();
          Check(stopwatch.Get() >= stood, "a reading goes back");
        },
}};

}  // namespace

}  // namespace schedbench::sim::platform_model
