// Models of workloads/parts/baton.hpp, on two threads.
#include "workloads/parts/baton.hpp"

#include "fibers/sched/go.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::baton_model {

namespace {

using workloads::Baton;

const ModelRegistration kPassed{{
    .name = "baton/posted_and_waited_for",
    .claim = "the waiter is resumed once, sees what was written before the post, and may destroy "
             "the baton",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Cell<int> value(0);
          int resumed = 0;
          {
            SmallPool pool(2);
            auto* const baton = new Baton;
            fibers::Go(pool, [&value, &resumed, baton] {
              baton->Wait();
              Check(value.Read() == 1, "the waiter does not see the value");
              ++resumed;
              delete baton;
            });
            fibers::Go(pool, [&value, baton] {
              value.Write(1);
              baton->Post();
            });
          }
          Check(resumed == 1, "the waiter was not resumed once");
        },
}};

const ModelRegistration kJoined{{
    .name = "baton/joined",
    .claim = "a waiter that has said which fiber will post is resumed once, and sees what it wrote",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          SmallPool pool(2);
          Cell<int> value(0);
          fibers::Go(pool, [&] {
            Baton baton;
            fibers::Fiber* const poster = fibers::NewFiber(pool, [&] {
              value.Write(1);
              baton.Post();
            });
            baton.WillJoin(*poster);
            pool.Submit(poster, executors::SchedulerHint::UpToYou);
            baton.Wait();
            Check(value.Read() == 1, "the waiter does not see the value");
          });
          pool.Finish();
        },
}};

}  // namespace

}  // namespace schedbench::sim::baton_model
