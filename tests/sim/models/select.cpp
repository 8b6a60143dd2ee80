// Models of fibers::Select and of channels that are closed, on two threads.
#include "fibers/sync/select.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sched/yield.hpp"
#include "fibers/sync/wait_group.hpp"
#include "simulation/stand_ins/timers.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <memory>

namespace schedbench::sim::select_model {

namespace {

using fibers::Channel;
using fibers::Go;
using fibers::ReceiveCase;
using fibers::Select;
using fibers::SelectFor;
using fibers::SendCase;
using fibers::TrySelect;
using fibers::WaitGroup;

constexpr Limits kLimits{.preemptions = 3, .stale_reads = 0, .spurious = 0};

const ModelRegistration kTwoSenders{{
    .name = "select/from_two_senders",
    .claim = "each of two values from two channels is received once, by one case",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(0);
          Channel<int> ys(0);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            int sum = 0;
            for (int i = 0; i < 2; ++i) {
              sum += *(Select(from_xs, from_ys) == 0 ? from_xs : from_ys).Value();
            }
            Check(sum == 3, "a value is lost or comes twice");
          });
          Go(pool, [&xs] { xs.Send(1); });
          Go(pool, [&ys] { ys.Send(2); });
        },
}};

const ModelRegistration kMeet{{
    .name = "select/two_selects_meet",
    .claim = "two fibers that select in opposite orders exchange one value",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Channel<Cell<int>*> xs(0);
          Channel<Cell<int>*> ys(0);
          Cell<int> message(0);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            Cell<int>* const got = *(Select(from_xs, from_ys) == 0 ? from_xs : from_ys).Value();
            Check(got->Read() == 1, "the message was not written yet");
          });
          Go(pool, [&] {
            message.Write(1);
            SendCase to_ys(ys, &message);
            SendCase to_xs(xs, &message);
            Select(to_ys, to_xs);
          });
        },
}};

const ModelRegistration kClaimed{{
    .name = "select/claimed_from_two_sides",
    .claim =
        "of two fibers that find the same select one gets it, and the other waits for the next",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(0);
          Channel<int> ys(1);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            const bool from_first = Select(from_xs, from_ys) == 0;
            Check((from_first ? from_xs : from_ys).Value().has_value(), "nothing");
            Check((from_first ? ys : xs).Receive() == (from_first ? 2 : 1), "not the other one");
          });
          Go(pool, [&xs] {
            SendCase to_xs(xs, 1);
            Select(to_xs);
          });
          ys.TrySend(2);
        },
}};

const ModelRegistration kDeadline{{
    .name = "select/value_or_deadline",
    .claim = "a select has the value or has run out of time, and leaves the value then",
    .limits = kLimits,
    .body =
        [] {
          Timers timers;
          Channel<int> xs(0);
          Channel<int> ys(0);
          WaitGroup done;
          done.Add(1);
          SmallPool pool(1);
          bool sent = false;
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            const auto fired = SelectFor(std::chrono::nanoseconds(3), from_xs, from_ys);
            Check(!fired || (*fired == 0 && from_xs.Value() == 1), "not what was sent");
            Check(!xs.TrySend(1) && !ys.TrySend(2), "it waits on");
            Check(fired.has_value() || !xs.TryReceive().has_value(), "sent to no receiver");
            done.Done();
          });
          sent = xs.TrySend(1);
          done.Wait();
          Check(!xs.TrySend(1) || !sent, "it waits on");
        },
}};

const ModelRegistration kFreed{{
    .name = "select/frees_the_channel_that_fired",
    .claim =
        "a select does not touch the channel that fired, nor does the sender, once it continues",
    .limits = kLimits,
    .body =
        [] {
          auto* const xs = new Channel<int>(0);
          Channel<int> ys(0);
          SmallPool pool(2);
          Go(pool, [xs, &ys] {
            {
              ReceiveCase from_ys(ys);
              ReceiveCase from_xs(*xs);
              Check(Select(from_ys, from_xs) == 1, "no fiber sends there");
            }
            delete xs;
          });
          Go(pool, [xs] { xs->Send(1); });
        },
}};

const ModelRegistration kFreedBySender{{
    .name = "select/channel_freed_by_the_sender",
    .claim = "a select does not touch the channel that fired after it has been resumed",
    .limits = kLimits,
    .body =
        [] {
          auto* const xs = new Channel<int>(0);
          Channel<int> ys(0);
          SmallPool pool(2);
          Go(pool, [xs, &ys] {
            ReceiveCase from_ys(ys);
            ReceiveCase from_xs(*xs);
            Check(Select(from_ys, from_xs) == 1, "no fiber sends there");
          });
          Go(pool, [xs] {
            xs->Send(1);
            delete xs;
          });
        },
}};

const ModelRegistration kClosed{{
    .name = "select/closed",
    .claim = "closing lets a select and a receiver go, each once, and the channel may go then",
    .limits = kLimits,
    .body =
        [] {
          auto* const xs = new Channel<int>(1);
          Channel<int> ys(0);
          WaitGroup received;
          received.Add(2);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(*xs);
            ReceiveCase from_ys(ys);
            Check(Select(from_xs, from_ys) == 0, "no fiber closes the other one");
            received.Done();
          });
          Go(pool, [&] {
            xs->ReceiveOrClosed();
            received.Done();
          });
          Go(pool, [&] {
            Check(xs->Send(1), "closed too early");
            xs->Close();
            received.Wait();
            delete xs;
          });
        },
}};

const ModelRegistration kClosedAndFreed{{
    .name = "select/closed_and_freed",
    .claim = "Close touches the channel for the last time before it resumes a fiber",
    .limits = kLimits,
    .body =
        [] {
          auto* const channel = new Channel<int>(0);
          SmallPool pool(1);
          Go(pool, [channel] {
            Check(!channel->ReceiveOrClosed().has_value(), "no fiber sends");
            delete channel;
          });
          channel->Close();
        },
}};

const ModelRegistration kDropped{{
    .name = "select/dropped",
    .claim = "a waiter dropped from a list takes no other out of it",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(0);
          Channel<int> ys(1);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            Select(from_xs, from_ys);
          });
          Go(pool, [&] {
            ys.TrySend(2);
            xs.TrySend(1);
            Go([&] { xs.ReceiveOrClosed(); });
            fibers::Yield();
            xs.Close();
          });
        },
}};

// A look at the list drops the claimed waiter here, where a send does above.
const ModelRegistration kDroppedByALook{{
    .name = "select/dropped_by_a_look",
    .claim = "a waiter that a select drops from a list takes no other out of it",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(0);
          Channel<int> ys(1);
          SmallPool pool(2);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            Select(from_xs, from_ys);
          });
          Go(pool, [&] {
            ys.TrySend(2);
            SendCase to_xs(xs, 1);
            TrySelect(to_xs);
            Go([&] { xs.ReceiveOrClosed(); });
            fibers::Yield();
            xs.Close();
          });
        },
}};

const ModelRegistration kDroppedBefore{{
    .name = "select/dropped_in_the_last_use",
    .claim = "a case that another thread has dropped leaves all lists when it is used again",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(0);
          Channel<int> ys(0);
          SmallPool pool(1);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            ReceiveCase from_ys(ys);
            for (int left = 2; left > 0;) {
              left -= Select(from_xs, from_ys) == 0 ? 1 : 0;
            }
            Check(!ys.TrySend(4), "it waits on");
          });
          Go(pool, [&] {
            xs.Send(1);
            fibers::Yield();  // the other fiber waits again
            xs.Send(2);
          });
          ys.TrySend(3);
        },
}};

const ModelRegistration kUsedAfterClose{{
    .name = "select/used_after_the_close",
    .claim = "a select gets what is in a closed channel once, and nothing after that; it sends "
             "nothing",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> xs(1);
          SmallPool pool(1);
          Go(pool, [&] {
            ReceiveCase from_xs(xs);
            Select(from_xs);
            Check(from_xs.Value() == 1, "a value is lost");
            Select(from_xs);
            Check(!from_xs.Value().has_value(), "a value comes twice");
            SendCase to_xs(xs, 2);
            Select(to_xs);
            Check(!to_xs.Sent(), "sent to a closed channel");
          });
          xs.TrySend(1);
          xs.Close();
        },
}};

const ModelRegistration kSenderSentAway{{
    .name = "select/closed_for_a_sender",
    .claim = "a sender whose value is received returns true, one that is sent away false",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          Channel<int> channel(0);
          Cell<bool> sent(false);
          bool received = false;
          {
            SmallPool pool(1);
            Go(pool, [&] { sent.Write(channel.Send(1)); });
            received = channel.TryReceive().has_value();
            channel.Close();
          }
          Check(sent.Read() == received, "sender and receiver do not agree");
        },
}};

}  // namespace

}  // namespace schedbench::sim::select_model
