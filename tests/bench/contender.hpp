#pragma once

#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace schedbench::simulation {

// One scheduler, ready for rounds of one workload. From one thread.
class Contender {
 public:
  // Specs: "name:field=value,...". `workers`: for the field `workers` or `limit`; 0 where it has
  // neither. Ends the program where a spec is wrong.
  Contender(const std::string& scheduler_spec, const std::string& workload_spec,
            std::uint64_t workers);

  // Runs the workload until `at_least_ns` have passed in it, once at least; the program ends where
  // an answer is wrong. Returns nanoseconds per operation.
  double RunRound(std::uint64_t at_least_ns = 0);

  // The same, and keeps the number.
  void Measure(std::uint64_t at_least_ns = 0) {
    ns_per_operation_.push_back(RunRound(at_least_ns));
  }

  // Returns the operations of the last call of RunRound().
  std::uint64_t Operations() const noexcept {
    return operations_;
  }

  // The numbers kept so far.
  const std::vector<double>& NsPerOperation() const {
    return ns_per_operation_;
  }

 private:
  const std::string name_;
  std::unique_ptr<registry::IScheduler> scheduler_;
  std::unique_ptr<registry::IWorkload> workload_;
  std::uint64_t operations_ = 0;
  std::vector<double> ns_per_operation_;
};

// The field that says how many threads there are: "workers" or "limit"; null: the scheduler has no
// say, or no limit.
const char* SizeField(const registry::SchedulerEntry& entry);

}  // namespace schedbench::simulation
