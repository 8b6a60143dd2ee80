// A workload of your own: fibers count under a mutex. The program is schedbench with one workload more, and has its own main().
#include "cli/main.hpp"
#include "config/schema_of.hpp"
#include "fibers/sched/go.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/wait_group.hpp"
#include "registry/workload.hpp"

using namespace schedbench;
struct Parameters {
  config::Field<"fibers", std::uint32_t{100}, config::Range{1U, 100000U}, "Fibers"> fibers;
  config::Field<"adds", std::uint32_t{1000}, config::Range{1U, 1000000U}, "Adds of each"> adds;
};

class Count final : public registry::IWorkload {
 public:
  explicit Count(const Parameters& parameters)
      : parameters_(parameters) {
  }
  void Prepare() override {
    sum_ = 0;
  }
  // The part that is timed. Returns the number of operations.
  std::uint64_t Run(registry::IScheduler& scheduler) override {
    fibers::WaitGroup done;
    done.Add(parameters_.fibers);
    for (std::uint32_t i = 0; i < parameters_.fibers; ++i) {
      fibers::Go(scheduler, [this, &done] {
        for (std::uint32_t add = 0; add < parameters_.adds; ++add) {
          mutex_.Lock();
          ++sum_;
          mutex_.Unlock();
        }
        done.Done();
      });
    }
    done.Wait();
    return Expected();
  }
  std::string Verify() override {
    return sum_ == Expected() ? "" : "an add is lost";
  }

 private:
  std::uint64_t Expected() const {
    return std::uint64_t{parameters_.fibers} * parameters_.adds;
  }
  const Parameters parameters_;
  fibers::Mutex mutex_;
  std::uint64_t sum_ = 0;  // guarded by mutex_
};
const registry::RegistrationOf<Count, Parameters> kCount{
    {.name = "count", .doc = "fibers count under a mutex", .operation = "add"}};
int main(int argc, char** argv) {
  return cli::Main(argc, argv);
}
