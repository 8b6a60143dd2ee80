#pragma once

#include "config/schema_of.hpp"
#include "executors/submit.hpp"
#include "fibers/sync/event.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace schedbench::tests {

// A round that hangs, after one that does not.
class Hanging final : public registry::IWorkload {
 public:
  explicit Hanging(void (*hang)(registry::IScheduler&))
      : hang_(hang) {
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    if (++round_ == 1) {
      fibers::WaitGroup done;
      done.Add(10);
      for (int i = 0; i < 10; ++i) {
        executors::Submit(scheduler, [&done] { done.Done(); });
      }
      done.Wait();
      return 10;
    }
    hang_(scheduler);
    return 1;
  }

  std::string Verify() override {
    return round_ == 1 ? "" : "nothing hangs";
  }

 private:
  void (*const hang_)(registry::IScheduler&);
  int round_ = 0;
};

// The same; the thread then waits for what never comes, as workloads do.
template <void (*Hang)(registry::IScheduler&)>
void AndWait(registry::IScheduler& scheduler) {
  Hang(scheduler);
  (new fibers::Event)->Wait();
}

struct NoParameters {
  config::Field<"unused", std::uint32_t{0}, config::Range{0U, 1U}, "Unused"> unused;
};

template <void (*Hang)(registry::IScheduler&)>
class Register {
 public:
  explicit Register(std::string_view name)
      : registration_({
            .name = name,
            .doc = "hangs in its second round",
            .operation = "task",
            .schema = &config::SchemaOf<NoParameters>,
            .make = [](const config::Settings& /*settings*/, std::uint64_t /*seed*/)
                -> std::unique_ptr<registry::IWorkload> { return std::make_unique<Hanging>(Hang); },
        }) {
  }

 private:
  const registry::WorkloadRegistration registration_;
};

}  // namespace schedbench::tests
