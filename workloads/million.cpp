#include "workloads/definitions/million.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kMillion{MillionEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
