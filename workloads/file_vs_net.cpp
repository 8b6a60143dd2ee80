#include "base/cache_line.hpp"
#include "base/failure.hpp"
#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "fibers/files/file.hpp"
#include "platform/threads/mutex.hpp"
#include "platform/time/clock.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/echo_connections.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/latencies.hpp"
#include "workloads/parts/memory_need.hpp"
#include "workloads/parts/open_load.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct FileVsNetParameters {
  // clang-format off
  config::Field<"connections", 16U, config::Range{1U, 1000000U},
      "TCP connections over loopback; each needs two file descriptors"> connections;
  config::Field<"messages", 200U, config::Range{1U, 100000000U},
      "Messages of each connection, one after the other"> messages;
  config::Field<"bytes", 64U, config::Range{1U, 1048576U}, "Bytes of a message"> bytes;
  config::Field<"writers", 16U, config::Range{1U, 1000000U},
      "Fibers that write blocks of a temporary file and read them again"> writers;
  config::Field<"blocks", 20U, config::Range{1U, 1000000U},
      "Blocks of each of these fibers, one after the other"> blocks;
  config::Field<"block_bytes", 4096U, config::Range{1U, 1048576U}, "Bytes of a block"> block_bytes;
  config::Field<"sync", true, config::AnyOf{},
      "Whether a fiber waits until its block is on the medium, before it reads it"> sync;
  // clang-format on
};

constexpr std::array kFileVsNetMetrics{
    registry::Metric{"round_trip_p50", "ns", registry::Better::kLower,
                     "Time from when a client begins to send a message until it has the answer: "
                     "median"},
    registry::Metric{"round_trip_p99", "ns", registry::Better::kLower,
                     "Time from when a client begins to send a message until it has the answer: "
                     "99th percentile",
                     kP99Needs},
    registry::Metric{"block_p50", "ns", registry::Better::kLower,
                     "Time to write a block and read it again: median"},
    registry::Metric{"block_p99", "ns", registry::Better::kLower,
                     "Time to write a block and read it again: 99th percentile", kP99Needs},
};

// The difference between files and sockets, from the Go article: half of the fibers wait for
// sockets, which costs no thread, and half for a file, which blocks one. One operation is one round
// trip or one block. A file that blocks its worker delays the messages of all connections.
class FileVsNet final : public registry::IWorkload {
 public:
  explicit FileVsNet(const FileVsNetParameters& parameters)
      : parameters_(parameters),
        round_trips_(parameters.connections *
                     CheckedCount("file_vs_net:messages", "messages of each connection",
                                  parameters.messages,
                                  parameters.connections * sizeof(std::uint64_t))),
        blocks_(parameters.blocks * CheckedCount("file_vs_net:writers", "fibers that use the file",
                                                 parameters.writers, BytesPerWriter(parameters))),
        connections_("file_vs_net:connections", parameters.connections, parameters.bytes),
        file_(OpenFile()) {
  }

  void Prepare() override {
    std::ranges::fill(round_trips_, 0);
    std::ranges::fill(blocks_, 0);
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(2 * connections_.Count() + parameters_.writers);
    for (std::size_t number = 0; number < connections_.Count(); ++number) {
      Fibers::Go(scheduler, [this, number] {
        connections_.Serve(number, parameters_.messages);
        done_.Done();
      });
      Fibers::Go(scheduler, [this, number] {
        Talk(number);
        done_.Done();
      });
    }
    for (std::size_t number = 0; number < parameters_.writers; ++number) {
      Fibers::Go(scheduler, [this, number] {
        UseFile(number);
        done_.Done();
      });
    }
    done_.Wait();
    ++round_;
    return round_trips_.size() + blocks_.size();
  }

  std::string Verify() override {
    for (const std::string& failure : {connections_.Failure(), FileFailure()}) {
      if (!failure.empty()) {
        return failure;
      }
    }
    // Each of them takes at least a nanosecond.
    const auto missing = std::ranges::count(round_trips_, 0U) + std::ranges::count(blocks_, 0U);
    return missing == 0 ? "" : fmt::format("{} messages or blocks are missing", missing);
  }

  std::vector<double> Metrics() const override {
    const auto [net_median, net_p99, net_max] = MedianP99AndMax(round_trips_);
    const auto [file_median, file_p99, file_max] = MedianP99AndMax(blocks_);
    return {net_median, net_p99, file_median, file_p99};
  }

 private:
  static std::uint64_t BytesPerWriter(const FileVsNetParameters& parameters) {
    return Fibers::kBytesPerFiber + 2 * std::uint64_t{parameters.block_bytes} +
           parameters.blocks * sizeof(std::uint64_t);
  }

  static fibers::File OpenFile() {
    const char* const folder = std::getenv("TMPDIR");
    const std::string name = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    auto file = fibers::File::OpenTemporary(name);
    if (!file.Ok()) {
      throw std::runtime_error(
          fmt::format("no temporary file in {}: {}    TMPDIR=FOLDER", name, file.Error().Text()));
    }
    return file.Take();
  }

  void Talk(std::size_t number) noexcept {
    const std::size_t first = number * parameters_.messages;
    for (std::uint32_t i = 0; i < parameters_.messages; ++i) {
      const std::uint64_t begin = platform::NowNs();
      if (!connections_.Exchange(number, round_ * round_trips_.size() + first + i)) {
        return;
      }
      round_trips_[first + i] = platform::ElapsedNs(begin);
    }
  }

  // Each fiber has its own part of the file.
  void UseFile(std::size_t number) {
    const std::size_t first = number * parameters_.blocks;
    std::vector<std::byte> written(parameters_.block_bytes);
    std::vector<std::byte> read(parameters_.block_bytes);
    for (std::uint32_t i = 0; i < parameters_.blocks; ++i) {
      const std::uint64_t position = std::uint64_t{parameters_.block_bytes} * (first + i);
      const std::uint64_t begin = platform::NowNs();
      std::ranges::fill(written, static_cast<std::byte>(MixSeed(round_ + position)));
      const fibers::Transfer to = file_.WriteAt(position, written);
      if (const int error = to.error.number; error == ENOSPC || error == EFBIG || error == EDQUOT) {
        FailRun("file_vs_net: a block cannot be written: " + to.error.Text() + "    TMPDIR=FOLDER",
                FailureKind::kLimit);
      }
      if (!to.Ok() || (parameters_.sync && file_.Sync())) {
        return FailFile("a block cannot be written: " + to.error.Text());
      }
      const fibers::Transfer from = file_.ReadAt(position, read);
      if (!from.Ok() || read != written) {
        return FailFile(from.Ok() ? "a block differs from what was written"
                                  : "a block cannot be read: " + from.error.Text());
      }
      blocks_[first + i] = platform::ElapsedNs(begin);
    }
  }

  // Keeps the first failure.
  void FailFile(const std::string& what) {
    const platform::MutexLock lock(mutex_);
    if (file_failure_.empty()) {
      file_failure_ = what;
    }
  }
  std::string FileFailure() const {
    const platform::MutexLock lock(mutex_);
    return file_failure_;
  }

  const FileVsNetParameters parameters_;
  // Nanoseconds for each message and each block; written by its fiber.
  std::vector<std::uint64_t> round_trips_;
  std::vector<std::uint64_t> blocks_;
  EchoConnections connections_;
  fibers::File file_;
  std::uint64_t round_ = 0;
  mutable platform::Mutex mutex_;
  std::string file_failure_;  // guarded by mutex_
  alignas(kCacheLine) Fibers::WaitGroup done_;
};

const registry::RegistrationOf<FileVsNet, FileVsNetParameters> kFileVsNet{{
    .name = "file_vs_net",
    .doc = "Go article: half of the fibers waits for sockets, the other half for a file, which "
           "blocks threads",
    .operation = "round trip or block",
    .metrics = kFileVsNetMetrics,
    .presets = {{"smoke", "connections=4,messages=20,writers=4,blocks=4"},
                {"small", "messages=40,blocks=5"},
                {"full", "connections=64,messages=2000,writers=64,blocks=200"}},
}};

}  // namespace

}  // namespace schedbench::workloads
