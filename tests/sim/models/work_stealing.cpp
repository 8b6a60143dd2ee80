// Models of schedulers made of parts: schedulers/work_stealing, two workers, queues of two slots,
// every limit at its least. What they share with `fast` has its models there.
#include "fibers/fork/fork_join.hpp"
#include "fibers/sched/go.hpp"
#include "schedulers/queues/lfab_queue.hpp"
#include "schedulers/queues/mutex_queue.hpp"
#include "schedulers/queues/two_head_queue.hpp"
#include "schedulers/queues/work_stealing_queue.hpp"
#include "schedulers/work_stealing/worker.hpp"
#include "tests/sim/models/runs.hpp"
#include "tests/sim/models/support.hpp"

#include <string>

namespace schedbench::sim::work_stealing_model {

namespace {

using namespace schedulers::work_stealing;  // NOLINT(google-build-using-namespace): its enums
using executors::SchedulerHint;
using schedulers::GrabSize;
using schedulers::Overflow;
using schedulers::WorkerPool;

WorkStealingConfig SmallConfig() {
  WorkStealingConfig config;
  config.workers.value = 2;
  config.local_queue_capacity.value = 2;
  config.lifo_limit.value = 1;
  config.global_poll_period.value = 2;
  config.steal_batch.value = 1;
  return config;
}

// Two tasks that must run at the same time, and a third that fills the queue: nothing may be lost
// on the way to the global queue and back, and no worker may sleep beside it.
template <typename LocalQueue>
void MeetAndOverflow(const WorkStealingConfig& config) {
  WorkerPool<PoolPolicies<LocalQueue>> pool(config, 1);
  Meeting<2> meeting;
  Runs<1> runs;
  SubmitWithPayload(pool, [&] {
    SubmitWithPayload(pool, [&] { runs.Note(0); });
    SubmitWithPayload(pool, [&] { meeting.Meet(1); }, SchedulerHint::Yield);
    meeting.Meet(0);
  });
  pool.WaitIdle();
  runs.CheckAllOnce("WaitIdle returned before a task had run");
  pool.Stop();
}

template <typename LocalQueue>
class Family {
 public:
  Family(const std::string& name, const WorkStealingConfig& config)
      : meet_({.name = "work_stealing/" + name,
               .claim = "each task runs, those that wait for each other at the same time; WaitIdle "
                        "and Stop return",
               .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
               .body = [config] { MeetAndOverflow<LocalQueue>(config); }}) {
  }

 private:
  ModelRegistration meet_;
};

WorkStealingConfig With(auto change) {
  WorkStealingConfig config = SmallConfig();
  change(config);
  return config;
}

const Family<schedulers::MutexQueue> kAllFromGlobal("take_all_of_the_global_queue",
                                                    With([](WorkStealingConfig& config) {
                                                      config.global_grab.value = GrabSize::kAll;
                                                      config.pick_order.value = PickOrder::kS0;
                                                    }));

// A whole queue, and one more that runs at once.
const Family<schedulers::TwoHeadQueue> kAllThatFits("two_head_takes_all_that_fits",
                                                    With([](WorkStealingConfig& config) {
                                                      config.global_grab.value = GrabSize::kAll;
                                                      config.victim.value =
                                                          schedulers::Victim::kLastSuccess;
                                                    }));

const Family<schedulers::LFABQueue> kHalfToGlobal("lfab_gives_half",
                                                  With([](WorkStealingConfig& config) {
                                                    config.overflow.value = Overflow::kOlderHalf;
                                                    config.pick_order.value = PickOrder::kS0;
                                                    config.yield_to.value = YieldTo::kLocal;
                                                  }));

const Family<schedulers::MutexQueue> kWholeHalf("steals_half_without_limit",
                                                With([](WorkStealingConfig& config) {
                                                  config.steal_batch.value = kNoStealLimit;
                                                  config.pick_order.value = PickOrder::kS0;
                                                  config.yield_to.value = YieldTo::kLocal;
                                                }));

const Family<schedulers::TwoHeadQueue> kStealFirst("two_head_steals_first",
                                                   With([](WorkStealingConfig& config) {
                                                     config.global_queue.value =
                                                         schedulers::GlobalQueueKind::kLockFree;
                                                     config.pick_order.value = PickOrder::kS3;
                                                   }));

const Family<schedulers::MutexQueue> kTakeAllStack("take_all_stack",
                                                   With([](WorkStealingConfig& config) {
                                                     config.global_queue.value =
                                                         schedulers::GlobalQueueKind::kTakeAll;
                                                     config.global_grab.value = GrabSize::kAll;
                                                   }));

const Family<schedulers::WorkStealingQueue> kNotifyAll("all_are_woken",
                                                       With([](WorkStealingConfig& config) {
                                                         config.notify.value =
                                                             NotifyMode::kAllUnderLock;
                                                       }));

const ModelRegistration kSharedCounter{{
    .name = "work_stealing/wait_idle_by_a_shared_counter",
    .claim = "WaitIdle returns, and only after what a task submitted has run",
    .limits = {.preemptions = 2, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          WorkerPool<PoolPolicies<schedulers::WorkStealingQueue>> pool(
              With([](WorkStealingConfig& config) {
                config.wait_idle.value = schedulers::QuiescenceCriterion::kSharedCounter;
              }),
              1);
          Runs<3> runs;
          SubmitWithPayload(pool, [&] {
            SubmitWithPayload(pool, [&] { runs.Note(1); });
            runs.Note(0);
          });
          SubmitWithPayload(pool, [&] { runs.Note(2); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a task had run");
          pool.Stop();
        },
}};

const ModelRegistration kForksInASharedCounter{{
    .name = "work_stealing/forks_in_a_shared_counter",
    .claim = "WaitIdle returns after a thief has missed a forked call, and not before the call",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          WorkerPool<PoolPolicies<schedulers::WorkStealingQueue>> pool(
              With([](WorkStealingConfig& config) {
                config.wait_idle.value = schedulers::QuiescenceCriterion::kSharedCounter;
              }),
              1);
          Runs<2> runs;
          fibers::Go(pool, [&] { fibers::ForkJoin([&] { runs.Note(0); }, [&] { runs.Note(1); }); });
          pool.WaitIdle();
          runs.CheckAllOnce("WaitIdle returned before a forked call and its parent had run");
          pool.Stop();
        },
}};

}  // namespace

}  // namespace schedbench::sim::work_stealing_model
