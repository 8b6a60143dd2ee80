#pragma once

#include "config/settings.hpp"
#include "registry/figure.hpp"
#include "registry/scheduler.hpp"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::registry {

// Work to measure a scheduler with. A round is Prepare(), Run(), Verify(); the same object runs many, one
// after the other, from one thread that is no worker.
class IWorkload {
 public:
  virtual ~IWorkload() = default;

  // Sets up a round. Not timed.
  virtual void Prepare() {
  }

  // Does the work and returns when all of it is done. Timed. Returns the number of operations.
  virtual std::uint64_t Run(IScheduler& scheduler) = 0;

  // Checks the answer of the round; the scheduler is idle. Returns "" or what is wrong. Not timed.
  virtual std::string Verify() = 0;

  // Returns the round's own figures, one for each that the entry declares, in their order. After Verify().
  virtual std::vector<double> Figures() const {
    return {};
  }
};

// A workload as the command line knows it.
struct WorkloadEntry {
  std::string_view name;
  std::string_view doc;        // one line
  std::string_view operation;  // what is counted, singular: "round trip"
  const config::Schema& (*schema)();
  // `settings`: of that schema. `seed`: all random choices follow from it.
  std::unique_ptr<IWorkload> (*make)(const config::Settings& settings, std::uint64_t seed);
  // What a round of this workload tells besides what every round does.
  std::span<const Figure> figures = {};
  // Measured rounds and rounds before them, unless the user says otherwise.
  std::uint32_t rounds = 20;
  std::uint32_t warmup = 3;
};

// All registered workloads by name.
std::vector<const WorkloadEntry*> Workloads();

// Null when there is none.
const WorkloadEntry* FindWorkload(std::string_view name);

// Registers a workload for the life of the program. Each file under workloads/ ends in one such object.
class WorkloadRegistration {
 public:
  explicit WorkloadRegistration(const WorkloadEntry& entry);
};

}  // namespace schedbench::registry
