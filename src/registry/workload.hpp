#pragma once

#include "config/settings.hpp"
#include "registry/metric.hpp"
#include "registry/optimization.hpp"
#include "registry/scheduler.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace schedbench::registry {

// A workload can be divided between processes: one is the server, the others send it requests.
enum class Half : std::uint8_t { kServer, kClients };

// What a half has measured in a round.
struct HalfTimes {
  // Clients: the times of requests with an answer, from when they were due until the answer.
  // Nanoseconds, ascending.
  std::vector<std::uint64_t> latency_ns;
  // Clients: the times of all requests, from when they were due until they began to be sent, or
  // were given up because their connection had ended or was not free in time. The delay is part of
  // the latency. Nanoseconds, ascending.
  std::vector<std::uint64_t> delay_ns;
  std::uint64_t unanswered = 0;  // requests whose connection was lost, or whose answer was too late
  std::uint64_t span_ns = 0;     // from the start until the last answer
  std::string trouble;           // what has gone wrong first; "" for nothing
  // The server: CPU time of the process from when it accepted the last connection until the last
  // one ended. Only connections with a whole message count.
  std::uint64_t cpu_ns = 0;
};

// What a half offers besides IWorkload. Used by the thread that runs the rounds.
class IHalf {
 public:
  virtual ~IHalf() = default;

  // Returns where the server listens, "127.0.0.1:41713"; "" of clients.
  virtual std::string Address() const = 0;

  // Sets when the next round starts and when it ends at the latest, in nanoseconds of
  // platform::NowNs(); 0: at once, never. Clients obey the start, the server obeys the end.
  virtual void SetTimes(std::uint64_t start_ns, std::uint64_t end_ns) = 0;

  // A round ends when this returns true: the server's when the connections of its clients have
  // ended, or soon after; clients submit no more requests, and wait for the answers. The thread of
  // Run() calls it some times a second.
  virtual void EndWhen(std::function<bool()> is_due) = 0;

  // Returns what it has measured in the last round.
  virtual HalfTimes Times() const = 0;
};

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

  // How many calls of the round could have become fibers and were made where they stood. After Verify().
  virtual std::uint64_t InlineCalls() const {
    return 0;
  }

  // Returns the round's own metrics, one for each that the entry declares, in their order. After Verify(). Of a round that
  // has fewer operations than a metric needs, its value is not used. Not a number: there is no value.
  virtual std::vector<double> Metrics() const {
    return {};
  }

  // Null of a workload that is whole.
  virtual IHalf* AsHalf() noexcept {
    return nullptr;
  }
};

// What is known of a workload whose operations come at a rate of their own, whatever the scheduler does: `run --slo` looks
// for the largest rate that holds. Names are those of parameters and metrics of the workload.
struct OpenLoad {
  struct Latency {
    std::string_view name;    // as in a limit: "p99.9"
    std::string_view metric;  // nanoseconds
  };

  std::string_view rate;        // the parameter: operations per second, a double
  std::string_view operations;  // the parameter: how many a round has
  std::span<const Latency> latencies;
  std::string_view late;            // the metric: what the source itself is late, nanoseconds
  std::string_view late_beside;     // the latency that it is a part of
  std::string_view backlog_growth;  // the metric that shows whether the scheduler kept up
  double saturated_above;           // it was not, where that metric is above this
};

// Parameters by one name, for `--workload NAME:preset=smoke`.
struct Preset {
  std::string_view name;        // "smoke"
  std::string_view parameters;  // "fibers=10,yields=10"; the others have their defaults
};

// The key by which a preset is chosen; no workload has a parameter of this name.
inline constexpr std::string_view kPresetKey = "preset";

// A workload as the command line offers it.
struct WorkloadEntry {
  std::string_view name;
  std::string_view doc;        // one line
  std::string_view operation;  // what is counted, singular: "round trip"
  const config::Schema& (*schema)() = nullptr;
  // `settings`: of that schema. `seed`: all random choices follow from it.
  std::unique_ptr<IWorkload> (*make)(const config::Settings& settings,
                                     std::uint64_t seed) = nullptr;
  // What a round of this workload reports besides what every round does.
  std::span<const Metric> metrics = {};
  // The metric by which schedulers are ranked under it. Not throughput where the parameters fix how many operations begin in a
  // second: every scheduler that keeps up then has the same.
  std::string_view ranked_by = "throughput";
  // Measured rounds and rounds before them, unless the user says otherwise.
  std::uint32_t rounds = 20;
  std::uint32_t warmup = 3;
  // smoke: a round takes less than 0.2 s on two CPUs, whatever the scheduler. small: about a second for 20 rounds. full: the size
  // of the document or project that the workload comes from.
  std::vector<Preset> presets = {};
  const OpenLoad* open_load = nullptr;  // of those that have one
  // Makes one of its halves: the server listens at `address`, the clients connect to it. Both have the same settings. Throws
  // std::runtime_error. Null: the workload cannot be divided.
  std::unique_ptr<IWorkload> (*make_half)(const config::Settings& settings, std::uint64_t seed,
                                          Half half, const std::string& address) = nullptr;
  // Whether equal work may start different numbers of tasks: then two runtimes are not compared by their spawns.
  bool spawns_vary = false;
  // A parameter and its value with which it may; "" for none.
  std::array<std::string_view, 2> spawns_vary_with{};
  // Whether the compiler optimized the file that registers it. Set by the registration.
  bool is_optimized = true;
};

// Whether the parameters of the workload fix its throughput.
inline bool IsPaced(const WorkloadEntry& workload) {
  return workload.ranked_by != "throughput";
}

// WorkloadEntry::make of a class that takes its parameters and, if it makes random choices, the
// seed: its constructor takes no other number behind the parameters.
template <typename Workload, typename Parameters>
std::unique_ptr<IWorkload> MakeWorkload(const config::Settings& settings, std::uint64_t seed) {
  const auto& parameters = settings.As<Parameters>();
  if constexpr (std::is_constructible_v<Workload, const Parameters&, std::uint64_t>) {
    return std::make_unique<Workload>(parameters, seed);
  } else {
    return std::make_unique<Workload>(parameters);
  }
}

// All registered workloads by name.
std::vector<const WorkloadEntry*> Workloads();

// Null when there is none.
const WorkloadEntry* FindWorkload(std::string_view name);

// Sets the parameters of that preset. Returns false when the workload has none of that name. Asserts that the preset's text fits the
// schema.
bool ApplyPreset(const WorkloadEntry& workload, std::string_view name,
                 config::Settings& parameters);

// Registers a workload for the life of the program.
class WorkloadRegistration {
 public:
  // Copies `entry`. Before main. Asserts that no workload has that name.
  explicit WorkloadRegistration(const WorkloadEntry& entry, bool is_optimized = kIsOptimizedHere);
};

// Registers a workload by its class and its parameters, from which `schema` and `make` follow. Each
// file under workloads/ ends in one such object, and includes config/schema_of.hpp.
template <typename Workload, typename Parameters>
class RegistrationOf : public WorkloadRegistration {
 public:
  // Takes the entry without `schema` and `make`.
  explicit RegistrationOf(const WorkloadEntry& entry, bool is_optimized = kIsOptimizedHere)
      : WorkloadRegistration(Completed(entry), is_optimized) {
  }

 private:
  static WorkloadEntry Completed(WorkloadEntry entry) {
    entry.schema = &config::SchemaOf<Parameters>;
    entry.make = &MakeWorkload<Workload, Parameters>;
    return entry;
  }
};

}  // namespace schedbench::registry
