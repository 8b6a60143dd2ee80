#include "workloads/definitions/skynet.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kSkynet{SkynetEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
