#include "workloads/definitions/mutex.hpp"

#include "workloads/definitions/own_fibers.hpp"

namespace schedbench::workloads {

namespace {

const registry::WorkloadRegistration kMutex{MutexEntry<OwnFibers>()};

}  // namespace

}  // namespace schedbench::workloads
