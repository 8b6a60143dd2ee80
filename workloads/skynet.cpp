#include "config/schema_of.hpp"
#include "executors/executor.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace schedbench::workloads {

// The way in which a child reports its sum to its parent.
enum class Report : std::uint8_t { kChannel, kJoin };

constexpr std::array<std::string_view, 2> NamesOf(Report) {
  return {"channel", "join"};
}

namespace {

struct SkynetParameters {
  // clang-format off
  config::Field<"leaves", 100000U, config::Range{1U, 100000000U},
      "Leaves of the tree (a million in the original)"> leaves;
  config::Field<"report", Report::kChannel, config::AnyOf{}, "How a child reports its sum to its "
      "parent: channel (unbuffered, as in the original) or join"> report;
  ForkField<Fork::kSpawn> fork;

  static void Check(const SkynetParameters& parameters, config::Problems& problems) {
    if (parameters.fork == Fork::kStructured && parameters.report == Report::kChannel) {
      problems.AddUnused("report",
                         "structured forks return their sums; fork=structured needs report=join");
    }
  }
  // clang-format on
};

constexpr std::uint64_t kChildren = 10;

// Consecutive leaves: the part of the tree below one fiber.
struct Leaves {
  std::uint64_t first;
  std::uint64_t count;

  std::uint64_t Children() const {
    return std::min(count, kChildren);
  }

  // Returns the i-th part, as even as possible; all are equal if `count` is a power of ten.
  Leaves Child(std::uint64_t i) const {
    if (count < kChildren) {
      return {first + i, 1};
    }
    // A division by a constant takes a fifth of the time, and each child needs two.
    const std::uint64_t begin = count * i / kChildren;
    return {first + begin, count * (i + 1) / kChildren - begin};
  }
};

// Returns the fibers of the tree, with its root and its leaves.
std::uint64_t CountFibers(const Leaves& leaves) {
  std::uint64_t fibers = 1;
  for (std::uint64_t i = 0; leaves.count > 1 && i < leaves.Children(); ++i) {
    fibers += CountFibers(leaves.Child(i));
  }
  return fibers;
}

// A tree of fibers, ten below each; a leaf reports its number to its parent, any other fiber the
// sum of its children. Known as skynet (A. Temerev). One operation is one fiber of the tree.
class Skynet final : public registry::IWorkload {
 public:
  explicit Skynet(const SkynetParameters& parameters)
      : parameters_(parameters) {
    Fibers::RequireChannels(parameters.fork == Fork::kSpawn &&
                            parameters.report == Report::kChannel);
    if (parameters.fork == Fork::kSpawn) {  // structured, hardly any call becomes a fiber
      // Ten leaves have one fiber above them, and so on.
      CheckedCount("skynet:leaves", "leaves and the fibers above them", parameters.leaves,
                   Fibers::kBytesPerFiber * kChildren / (kChildren - 1));
    }
    fibers_ = CountFibers(Tree());
  }

  void Prepare() override {
    sum_ = kNoSum;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(1);
    Fibers::Go(scheduler, [this, &scheduler] {
      sum_ = parameters_.fork == Fork::kStructured    ? SumStructured(scheduler, Tree())
             : parameters_.report == Report::kChannel ? SumByChannel(scheduler, Tree())
                                                      : SumByJoin(scheduler, Tree());
      done_.Done();
    });
    done_.Wait();
    return fibers_;
  }

  std::string Verify() override {
    const std::uint64_t leaves = parameters_.leaves;
    const std::uint64_t right = leaves * (leaves - 1) / 2;
    if (sum_ == kNoSum) {
      return "the root reported no sum";
    }
    if (sum_ != right) {
      return fmt::format("the leaves' sum is {}, not {}", right, sum_);
    }
    return "";
  }

 private:
  static constexpr std::uint64_t kNoSum = ~std::uint64_t{0};

  Leaves Tree() const {
    return {0, parameters_.leaves};
  }

  static std::uint64_t SumByChannel(executors::IExecutor& executor, const Leaves& leaves) {
    if (leaves.count == 1) {
      return leaves.first;
    }
    Fibers::ChannelOfReceiver<std::uint64_t> sums(0);
    for (std::uint64_t i = 0; i < leaves.Children(); ++i) {
      Fibers::Go(executor, [&executor, &sums, child = leaves.Child(i)] {
        sums.Send(SumByChannel(executor, child));
      });
    }
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < leaves.Children(); ++i) {
      sum += sums.Receive();
    }
    return sum;
  }

  static std::uint64_t SumByJoin(executors::IExecutor& executor, const Leaves& leaves) {
    if (leaves.count == 1) {
      return leaves.first;
    }
    std::array<std::uint64_t, kChildren> sums{};
    Fibers::Children children(executor, leaves.Children());
    for (std::uint64_t i = 0; i < leaves.Children(); ++i) {
      children.Start([&executor, &sum = sums[i], child = leaves.Child(i)] {
        sum = SumByJoin(executor, child);
      });
    }
    children.Join();
    std::uint64_t sum = 0;
    for (const std::uint64_t of_child : sums) {
      sum += of_child;
    }
    return sum;
  }

  static std::uint64_t SumStructured(executors::IExecutor& executor, const Leaves& leaves) {
    if (leaves.count == 1) {
      return leaves.first;
    }
    std::array<std::uint64_t, kChildren> sums{};
    Fibers::ParallelFor(executor, std::uint64_t{0}, leaves.Children(), [&](std::uint64_t i) {
      sums[i] = SumStructured(executor, leaves.Child(i));
    });
    std::uint64_t sum = 0;
    for (const std::uint64_t of_child : sums) {
      sum += of_child;
    }
    return sum;
  }

  const SkynetParameters parameters_;
  std::uint64_t fibers_ = 0;
  std::uint64_t sum_ = kNoSum;  // written by the root, read after the round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Skynet, SkynetParameters> kSkynet{{
    .name = "skynet",
    .doc = "a tree of calls, with ten children each, that sums up its leaves",
    .operation = "fiber",
    .presets = {{"smoke", "leaves=500"}, {"small", ""}, {"full", "leaves=1000000"}},
    .spawns_vary_with = {"fork", "structured"},  // a call that no worker takes is not a fiber
}};

}  // namespace

}  // namespace schedbench::workloads
