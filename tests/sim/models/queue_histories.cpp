// Linearizability of the queues: each history of calls and results is one that a sequential queue
// could have given.
#include "executors/task.hpp"
#include "schedulers/queues/global_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "tests/sim/models/linearizable.hpp"
#include "tests/sim/models/support.hpp"

#include <cstring>

namespace schedbench::sim::queue_histories_model {

namespace {

using executors::TaskBase;

// What came back: numbers of tasks, from 1; a push has its own number and says whether it was taken
// in.
struct QueueCall {
  enum class Kind : std::uint8_t { kPush, kTake };
  Kind kind;
  bool accepted;
  std::uint8_t count;
  std::array<std::uint8_t, 2> tasks;
};

// First in, first out. A take gives one or more of the oldest tasks, and nothing only when there is
// nothing.
class SequentialQueue {
 public:
  explicit SequentialQueue(std::size_t capacity)
      : capacity_(capacity) {
  }

  bool Apply(const QueueCall& call) {
    if (call.kind == QueueCall::Kind::kPush) {
      if (!call.accepted) {
        return size_ == capacity_;
      }
      if (size_ == capacity_) {
        return false;
      }
      tasks_[size_++] = call.tasks[0];
      return true;
    }
    if (call.count == 0) {
      return size_ == 0;
    }
    if (call.count > size_ || std::memcmp(tasks_.data(), call.tasks.data(), call.count) != 0) {
      return false;
    }
    size_ -= call.count;
    std::memmove(tasks_.data(), tasks_.data() + call.count, size_);
    return true;
  }

 private:
  std::size_t capacity_;
  std::size_t size_ = 0;
  std::array<std::uint8_t, 8> tasks_{};
};

using QueueHistory = History<QueueCall, SequentialQueue>;

QueueCall Pushed(std::size_t number, bool accepted) {
  return {.kind = QueueCall::Kind::kPush,
          .accepted = accepted,
          .count = 0,
          .tasks = {static_cast<std::uint8_t>(number + 1)}};
}

QueueCall Taken(std::span<TaskBase*> batch) {
  QueueCall call{.kind = QueueCall::Kind::kTake,
                 .accepted = true,
                 .count = static_cast<std::uint8_t>(batch.size()),
                 .tasks = {}};
  for (std::size_t i = 0; i < batch.size(); ++i) {
    call.tasks[i] = static_cast<std::uint8_t>(NumberOf(batch[i]) + 1);
  }
  return call;
}

QueueCall Popped(TaskBase* task) {
  return task == nullptr ? Taken({}) : Taken({&task, 1});
}

const ModelRegistration kRing{{
    .name = "ring/linearizable",
    .claim = "pushes, pops and grabs have an order that explains their results",
    .limits = {.preemptions = 4, .stale_reads = 0},
    .body =
        [] {
          Tokens<4> tokens;
          schedulers::WorkStealingQueue ring(2);
          QueueHistory history;
          platform::Thread thief("thief", [&] {
            for (int i = 0; i < 2; ++i) {
              history.Run([&] {
                std::array<TaskBase*, 2> batch{};
                return Taken(std::span(batch).first(ring.Grab(batch)));
              });
            }
          });
          for (std::size_t i = 0; i < 4; ++i) {
            history.Run([&] { return Pushed(i, ring.TryPush(tokens[i])); });
            if (i % 2 == 1) {
              history.Run([&] { return Popped(ring.TryPop()); });
            }
          }
          thief.Join();
          Check(history.IsLinearizable(SequentialQueue(2)), "no order explains the results");
        },
}};

const ModelRegistration kGlobal{{
    .name = "global_queue/linearizable",
    .claim = "pushes, pops and grabs have an order that explains their results",
    .limits = {.preemptions = 4, .stale_reads = 0},
    .body =
        [] {
          Tokens<3> tokens;
          schedulers::GlobalQueue queue;
          QueueHistory history;
          const auto push = [&](std::size_t i) {
            history.Run([&] {
              queue.Push(tokens[i]);
              return Pushed(i, true);
            });
          };
          platform::Thread first("first", [&] {
            push(1);
            history.Run([&] { return Popped(queue.TryPop()); });
          });
          platform::Thread second("second", [&] {
            history.Run([&] {
              std::array<TaskBase*, 2> batch{};
              return Taken(std::span(batch).first(queue.Grab(batch, 1)));
            });
          });
          push(0);
          history.Run([&] { return Popped(queue.TryPop()); });
          push(2);
          first.Join();
          second.Join();
          Check(history.IsLinearizable(SequentialQueue(8)), "no order explains the results");
        },
}};

}  // namespace

}  // namespace schedbench::sim::queue_histories_model
