#include "workloads/definitions/open_loop.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kOpenLoop{OpenLoopEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
