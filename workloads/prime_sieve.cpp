#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct PrimeSieveParameters {
  // clang-format off
  config::Field<"primes", 1000U, config::Range{1U, 10000U},
      "Primes to find; each has a fiber"> primes;
  config::Field<"capacity", 0U, config::Range{0U, 1000000U},
      "Capacity of the channels; 0 = a sender waits for a receiver"> capacity;
  // clang-format on
};

// The sieve of Eratosthenes as a chain of fibers, from C. Hoare's Communicating Sequential
// Processes. The first number that a fiber receives is its prime; it starts the next fiber and
// sends it the numbers that its prime does not divide. One operation is one number that a fiber
// receives.
class PrimeSieve final : public registry::IWorkload {
 public:
  explicit PrimeSieve(const PrimeSieveParameters& parameters)
      : capacity_(parameters.capacity),
        filters_(CheckedCount("prime_sieve:primes", "fibers with a channel", parameters.primes,
                              Fibers::kBytesPerFiber + sizeof(Channel) +
                                  parameters.capacity * sizeof(std::optional<std::uint32_t>))) {
    // All filters up to that of a number's smallest prime factor receive it.
    for (std::uint32_t number = 2; right_.size() < filters_.size(); ++number) {
      std::size_t filter = 0;
      while (filter < right_.size() && number % right_[filter] != 0) {
        ++filter;
      }
      if (filter == right_.size()) {
        right_.push_back(number);
      }
      received_in_all_ += filter + 1;
    }
  }

  void Prepare() override {
    for (Filter& filter : filters_) {
      filter.from = std::make_unique<Channel>(capacity_);
      filter.prime = 0;
      filter.received = 0;
    }
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    done_.Add(filters_.size() + 1);
    StartFilter(scheduler, 0);
    Fibers::Go(scheduler, [this] {
      Channel& to = *filters_.front().from;
      for (std::uint32_t number = 2; number <= right_.back(); ++number) {
        to.Send(number);
      }
      to.Close();
      done_.Done();
    });
    done_.Wait();
    return received_in_all_;
  }

  std::string Verify() override {
    std::uint64_t received = 0;
    for (std::size_t i = 0; i < filters_.size(); ++i) {
      if (filters_[i].prime != right_[i]) {
        return fmt::format("prime {} was {}, not {}", i, filters_[i].prime, right_[i]);
      }
      received += filters_[i].received;
    }
    if (received != received_in_all_) {
      return fmt::format("{} numbers were received, not {}", received, received_in_all_);
    }
    return "";
  }

 private:
  using Channel = Fibers::Channel<std::uint32_t>;

  struct Filter {
    std::unique_ptr<Channel> from;
    // Its fiber writes these.
    std::uint32_t prime = 0;
    std::uint64_t received = 0;
  };

  void StartFilter(executors::IExecutor& executor, std::size_t index) {
    Fibers::Go(executor, [this, &executor, index] {
      RunFilter(executor, index);
      done_.Done();
    });
  }

  void RunFilter(executors::IExecutor& executor, std::size_t index) {
    Filter& filter = filters_[index];
    const auto first = filter.from->ReceiveOrClosed();
    if (!first) {
      return;
    }
    const std::uint32_t prime = *first;
    const bool is_last = index + 1 == filters_.size();
    Channel* const to = is_last ? nullptr : filters_[index + 1].from.get();
    if (!is_last) {
      StartFilter(executor, index + 1);
    }
    std::uint64_t received = 1;
    while (const auto number = filter.from->ReceiveOrClosed()) {
      ++received;
      if (*number % prime != 0 && to != nullptr) {
        to->Send(*number);
      }
    }
    if (to != nullptr) {
      to->Close();
    }
    filter.prime = prime;
    filter.received = received;
  }

  const std::uint32_t capacity_;
  std::vector<Filter> filters_;  // filter of each prime
  std::vector<std::uint32_t> right_;
  std::uint64_t received_in_all_ = 0;
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<PrimeSieve, PrimeSieveParameters> kPrimeSieve{{
    .name = "prime_sieve",
    .doc = "the first primes, with a chain of fibers that each filter the multiples of one prime",
    .operation = "number",
    .presets = {{"smoke", "primes=30"}, {"small", ""}, {"full", ""}},
}};

}  // namespace

}  // namespace schedbench::workloads
