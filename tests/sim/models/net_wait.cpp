// Models of the threads of one pool that poll the network: schedulers/pool/net_wait.hpp.
#include "schedulers/pool/net_wait.hpp"

#include "tests/sim/models/network.hpp"
#include "tests/sim/models/support.hpp"

namespace schedbench::sim::net_wait_model {

namespace {

using schedulers::NetWait;

const ModelRegistration kFirst{{
    .name = "net_wait/two_threads_poll_first",
    .claim = "a pool counts as one driver when two of its threads poll first, and as none after it",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          const Network network;  // checks at its end that no driver is left
          NetWait net(schedulers::UseOfRing::kNo);
          const auto look = [&net] {
            const executors::SchedulerSide side;
            net.Look();
          };
          platform::Thread other("other", look);
          look();
          other.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::net_wait_model
