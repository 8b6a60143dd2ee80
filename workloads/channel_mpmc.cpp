#include "workloads/definitions/channel_mpmc.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kChannelMpmc{ChannelMpmcEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
