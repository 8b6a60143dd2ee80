#include "workloads/definitions/fib.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kFib{FibEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
