#include "workloads/definitions/pingpong.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kPingPong{PingPongEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
