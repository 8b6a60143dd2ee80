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

// The measurements of a half in a round.
struct HalfTimes {
  // Clients: times of answered requests from due to answer. Nanoseconds, ascending.
  std::vector<std::uint64_t> latency_ns;
  // Clients: times of all requests, from when they were due until they began to be sent, or were
  // given up because their connection had ended or was not free in time. The delay is part of the
  // latency. Nanoseconds, ascending.
  std::vector<std::uint64_t> delay_ns;
  std::uint64_t unanswered = 0;  // requests whose connection was lost, or whose answer was too late
  std::uint64_t span_ns = 0;     // from the start until the last answer
  std::string trouble;           // the first thing that went wrong; "" for nothing
  // The server: CPU time of the process from the last accept until the last connection ended. Only
  // connections with a whole message count.
  std::uint64_t cpu_ns = 0;
};

// The additions of a half to IWorkload. The thread that runs the rounds uses it.
class IHalf {
 public:
  virtual ~IHalf() = default;

  // Returns where the server listens, "127.0.0.1:41713"; "" for clients.
  virtual std::string Address() const = 0;

  // Sets when the next round starts and when it ends at the latest, in nanoseconds of
  // platform::NowNs(); 0: at once, never. Clients obey the start, the server obeys the end.
  virtual void SetTimes(std::uint64_t start_ns, std::uint64_t end_ns) = 0;

  // Sets when a round ends: after `is_due` returns true the server waits for the end of its
  // clients' connections, but not for long; clients submit no more requests, and wait for the
  // answers. The thread of Run() calls it some times a second.
  virtual void EndWhen(std::function<bool()> is_due) = 0;

  // Returns what it has measured in the last round.
  virtual HalfTimes Times() const = 0;
};

// Work to measure a scheduler with. A round is Prepare(), Run(), Verify(). One object runs many
// rounds in turn, from one thread that is not a worker.
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

  // Returns the calls of the round that could have become fibers but did not. After Verify().
  virtual std::uint64_t InlineCalls() const {
    return 0;
  }

  // Returns the round's own metrics, one for each that the entry declares, in their order. After
  // Verify(). A value is not used if the metric needs more operations. NaN: there is no value.
  virtual std::vector<double> Metrics() const {
    return {};
  }

  // Returns null for a workload that cannot be divided.
  virtual IHalf* AsHalf() noexcept {
    return nullptr;
  }
};

// A workload whose operations come at their own rate, whatever the scheduler does: `run --slo`
// looks for the largest rate that holds. Names are those of parameters and metrics of the workload.
struct OpenLoad {
  struct Latency {
    std::string_view name;    // name in a limit: "p99.9"
    std::string_view metric;  // nanoseconds
  };

  std::string_view rate;        // the parameter: operations per second, a double
  std::string_view operations;  // the parameter: operations of a round
  std::span<const Latency> latencies;
  std::string_view late;            // the metric: lateness of the source itself, nanoseconds
  std::string_view late_beside;     // the latency that includes it
  std::string_view backlog_growth;  // the metric that shows whether the scheduler kept up
  double saturated_above;           // above this value of that metric, it did not
};

// Named parameters, for `--workload NAME:preset=smoke`.
struct Preset {
  std::string_view name;        // "smoke"
  std::string_view parameters;  // "fibers=10,yields=10"; the others have their defaults
};

// The key that chooses a preset; no workload has a parameter of this name.
inline constexpr std::string_view kPresetKey = "preset";

// A workload on the command line.
struct WorkloadEntry {
  std::string_view name;
  std::string_view doc;        // one line
  std::string_view operation;  // what is counted, singular: "round trip"
  const config::Schema& (*schema)() = nullptr;
  // `settings`: of that schema. `seed` determines all random choices.
  std::unique_ptr<IWorkload> (*make)(const config::Settings& settings,
                                     std::uint64_t seed) = nullptr;
  // The metrics of a round in addition to the common ones.
  std::span<const Metric> metrics = {};
  // The metric that ranks schedulers. Not throughput where the parameters fix how many operations
  // begin in a second: every scheduler that keeps up then has equal throughput.
  std::string_view ranked_by = "throughput";
  // Measured rounds and rounds before them, unless the user changes them.
  std::uint32_t rounds = 20;
  std::uint32_t warmup = 3;
  // smoke: a round takes less than 0.2 s on two CPUs with any scheduler. small: about a second for
  // 20 rounds. full: the size in the document or project from which the workload comes.
  std::vector<Preset> presets = {};
  const OpenLoad* open_load = nullptr;  // null: not an open load
  // Makes one of its halves: the server listens at `address`, the clients connect to it. Both have
  // equal settings. Throws std::runtime_error. Null: the workload cannot be divided.
  std::unique_ptr<IWorkload> (*make_half)(const config::Settings& settings, std::uint64_t seed,
                                          Half half, const std::string& address) = nullptr;
  // True if equal work may start different numbers of tasks: then spawns are not compared.
  bool spawns_vary = false;
  // A parameter and its value with which this is so; "" for none.
  std::array<std::string_view, 2> spawns_vary_with{};
  // True if the compiler optimized the registering file. The registration sets it.
  bool is_optimized = true;
};

// Returns whether the parameters of the workload fix its throughput.
inline bool IsPaced(const WorkloadEntry& workload) {
  return workload.ranked_by != "throughput";
}

// WorkloadEntry::make of a class that takes its parameters and, if it makes random choices, the
// seed as the only number after them.
template <typename Workload, typename Parameters>
std::unique_ptr<IWorkload> MakeWorkload(const config::Settings& settings, std::uint64_t seed) {
  const auto& parameters = settings.As<Parameters>();
  if constexpr (std::is_constructible_v<Workload, const Parameters&, std::uint64_t>) {
    return std::make_unique<Workload>(parameters, seed);
  } else {
    return std::make_unique<Workload>(parameters);
  }
}

// Returns all registered workloads by name.
std::vector<const WorkloadEntry*> Workloads();

// Returns the workload; null if there is none.
const WorkloadEntry* FindWorkload(std::string_view name);

// Sets the parameters of that preset. Returns false if the workload does not have it. Asserts that
// the preset's text fits the schema.
bool ApplyPreset(const WorkloadEntry& workload, std::string_view name,
                 config::Settings& parameters);

// Registers a workload for the life of the program.
class WorkloadRegistration {
 public:
  // Copies `entry`. Runs before main. Asserts that no workload has that name.
  explicit WorkloadRegistration(const WorkloadEntry& entry, bool is_optimized = kIsOptimizedHere);
};

// Registers a workload by its class and its parameters, which give `schema` and `make`. Each file
// under workloads/ ends in one such object, and includes config/schema_of.hpp.
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
