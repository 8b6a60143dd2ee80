// Models of fibers::Channel, on two threads.
#include "fibers/sync/channel.hpp"

#include "fibers/sched/go.hpp"
#include "fibers/sync/wait_group.hpp"
#include "simulation/stand_ins/timers.hpp"
#include "tests/sim/models/linearizable.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <memory>

namespace schedbench::sim::channel_model {

namespace {

using fibers::Channel;
using fibers::Go;
using fibers::WaitGroup;

// Points at something that only its receiver may touch.
using Message = Cell<int>*;

template <std::size_t Capacity, int Messages = 2>
void InOrder() {
  Channel<Message> channel(Capacity);
  std::array<Cell<int>, Messages> messages;
  SmallPool pool(2);
  Go(pool, [&] {
    for (int i = 0; i < Messages; ++i) {
      messages[static_cast<std::size_t>(i)].Write(i + 1);
      channel.Send(&messages[static_cast<std::size_t>(i)]);
    }
  });
  Go(pool, [&] {
    for (int i = 0; i < Messages; ++i) {
      Check(channel.Receive()->Read() == i + 1, "a message is lost or overtaken");
    }
  });
}

constexpr Limits kLimits{.preemptions = 3, .stale_reads = 1, .spurious = 0};

const ModelRegistration kUnbuffered{{
    .name = "channel/unbuffered",
    .claim = "messages arrive in order, and with them what was written before",
    .limits = kLimits,
    .body = &InOrder<0>,
}};

const ModelRegistration kBuffered{{
    .name = "channel/one_place",
    .claim = "the same with room for one",
    .limits = kLimits,
    .body = &InOrder<1>,
}};

// The third message goes to the first place again.
const ModelRegistration kTwoPlaces{{
    .name = "channel/two_places",
    .claim = "the same with room for two, when both places have been used",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body = &InOrder<2, 3>,
}};

const ModelRegistration kSendDeadline{{
    .name = "channel/send_or_deadline",
    .claim = "a value is received, or its sender has it again when the time has run out",
    .limits = {.preemptions = 2, .stale_reads = 0, .spurious = 1},
    .body =
        [] {
          Timers timers;
          Channel<std::unique_ptr<int>> channel(0);
          WaitGroup done;
          done.Add(2);
          SmallPool pool(1);
          Go(pool, [&] {
            auto value = std::make_unique<int>(1);
            if (!channel.SendFor(std::chrono::nanoseconds(3), std::move(value))) {
              Check(value != nullptr, "a value that was not sent is lost");
              channel.Send(std::move(value));
            }
            done.Done();
          });
          // Not at once, so that the time can run out.
          platform::Thread other("other", [&] {
            Go(pool, [&] {
              Check(channel.Receive() != nullptr, "a value that was sent is lost");
              done.Done();
            });
          });
          done.Wait();
          other.Join();
        },
}};

const ModelRegistration kTwoSenders{{
    .name = "channel/two_senders",
    .claim = "each message of two senders is received once",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Channel<int> channel(1);
          SmallPool pool(2);
          for (int sender = 0; sender < 2; ++sender) {
            Go(pool, [&channel, sender] { channel.Send(1 + sender); });
          }
          Go(pool, [&channel] {
            const int first = channel.Receive();
            Check(first + channel.Receive() == 3, "a message is lost or comes twice");
          });
        },
}};

const ModelRegistration kRoom{{
    .name = "channel/room_for_a_sender",
    .claim = "a sender that waits for room continues when a message is received",
    .limits = kLimits,
    .body =
        [] {
          Channel<int> channel(1);
          SmallPool pool(2);
          Go(pool, [&channel] {
            channel.Send(1);
            channel.Send(2);
          });
          Go(pool, [&channel] { Check(channel.Receive() == 1, "out of order"); });
        },
}};

const ModelRegistration kTwoReceivers{{
    .name = "channel/two_receivers",
    .claim = "each message goes to one of two receivers, and both continue",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Channel<int> channel(0);
          std::array<Cell<int>, 2> received;
          SmallPool pool(2);
          for (auto& place : received) {
            Go(pool, [&channel, &place] { place.Write(channel.Receive()); });
          }
          Go(pool, [&channel] {
            channel.Send(1);
            channel.Send(2);
          });
        },
}};

const ModelRegistration kClosedBesideASend{{
    .name = "channel/closed_beside_a_send",
    .claim = "a channel with room takes no value after it is closed: each value that is sent is "
             "received",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          int sent = 0;
          int received = 0;
          {
            Channel<int> channel(1);
            SmallPool pool(2);
            Go(pool, [&] { sent = channel.Send(1) ? 1 : 0; });
            Go(pool, [&] {
              while (channel.ReceiveOrClosed().has_value()) {
                ++received;
              }
            });
            channel.Close();
          }
          Check(received == sent, "a value was sent and not received");
        },
}};

const ModelRegistration kDestroyed{{
    .name = "channel/destroyed_by_the_receiver",
    .claim = "Send touches the channel for the last time before the receiver can continue",
    .limits = kLimits,
    .body =
        [] {
          auto* channel = new Channel<int>(0);
          SmallPool pool(2);
          Go(pool, [channel] {
            channel->Receive();
            delete channel;
          });
          Go(pool, [channel] { channel->Send(1); });
        },
}};

// One message at a time goes in or comes out.
struct ChannelCall {
  bool send;
  int message;
};

// What a channel is if nothing happens at the same time. However much room there is: a call that
// waits for it has not returned.
class SequentialChannel {
 public:
  bool Apply(const ChannelCall& call) {
    if (call.send) {
      messages_[end_++] = call.message;
      return true;
    }
    if (begin_ == end_) {
      return false;
    }
    return messages_[begin_++] == call.message;
  }

 private:
  std::array<int, 4> messages_{};
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

const ModelRegistration kLinearizable{{
    .name = "channel/linearizable",
    .claim = "sends of two fibers and receives have an order that explains what is received",
    .limits = {.preemptions = 3, .stale_reads = 0, .spurious = 0},
    .body =
        [] {
          Channel<int> channel(1);
          History<ChannelCall, SequentialChannel> history;
          const auto send = [&](int message) {
            history.Run([&] {
              channel.Send(message);
              return ChannelCall{.send = true, .message = message};
            });
          };
          const auto receive = [&] {
            history.Run([&] { return ChannelCall{.send = false, .message = channel.Receive()}; });
          };
          {
            SmallPool pool(2);
            Go(pool, [&] {
              send(1);
              send(2);
            });
            Go(pool, [&] { send(3); });
            Go(pool, [&] {
              receive();
              receive();
              receive();
            });
          }
          Check(history.IsLinearizable(SequentialChannel()), "no order explains the results");
        },
}};

}  // namespace

}  // namespace schedbench::sim::channel_model
