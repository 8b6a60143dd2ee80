#pragma once

#include "executors/inline_executor.hpp"
#include "executors/manual_executor.hpp"
#include "executors/strand.hpp"
#include "tests/support/schedulers.hpp"

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests {

// An executor under test, and how to have all of its tasks run.
class Rig {
 public:
  virtual ~Rig() = default;

  virtual executors::IExecutor& Executor() = 0;

  // Returns when all that was submitted has run, with what follows from it.
  virtual void Finish() = 0;
};

// What a kind of executor promises besides that each task runs once.
struct RigKind {
  std::string name;
  std::function<std::unique_ptr<Rig>()> make;
  bool many_threads = false;  // several may submit at once
  bool in_order = false;      // the tasks of one submitter run in the order of their submits
  bool exclusive = false;     // one task at a time, each after those before it
};

class ManualRig final : public Rig {
 public:
  executors::IExecutor& Executor() override {
    return manual_;
  }

  void Finish() override {
    manual_.Drain();
  }

 private:
  executors::ManualExecutor manual_;
};

class InlineRig final : public Rig {
 public:
  executors::IExecutor& Executor() override {
    return executor_;
  }

  void Finish() override {
  }

 private:
  executors::InlineExecutor executor_;
};

class SchedulerRig final : public Rig {
 public:
  explicit SchedulerRig(const std::string& name)
      : scheduler_(MakeScheduler(name, 4)) {
    StartAllThreads(*scheduler_, name, 4);  // a thread is made of memory, which tests count
  }

  executors::IExecutor& Executor() override {
    return *scheduler_;
  }

  void Finish() override {
    scheduler_->WaitIdle();
  }

 private:
  const std::unique_ptr<registry::IScheduler> scheduler_;
};

// A strand of either kind over any other rig.
template <typename StrandType>
class StrandRig final : public Rig {
 public:
  explicit StrandRig(std::unique_ptr<Rig> under)
      : under_(std::move(under)),
        strand_(under_->Executor(), {.tasks_per_visit = 7}) {
  }

  executors::IExecutor& Executor() override {
    return strand_;
  }

  void Finish() override {
    under_->Finish();
  }

 private:
  const std::unique_ptr<Rig> under_;
  StrandType strand_;
};

// Each registered scheduler, the executors of src/executors, and both strands over each of those.
inline std::vector<RigKind> RigKinds() {
  std::vector<RigKind> plain{
      {.name = "manual",
       .make = std::make_unique<ManualRig>,
       .many_threads = false,
       .in_order = true,
       .exclusive = true},
      {.name = "inline",
       .make = std::make_unique<InlineRig>,
       .many_threads = true,
       .in_order = true,
       .exclusive = false},
  };
  for (const std::string& name : SchedulerNames()) {
    plain.push_back({.name = name,
                     .make = [name] { return std::make_unique<SchedulerRig>(name); },
                     .many_threads = true,
                     .in_order = false,
                     .exclusive = false});
  }
  std::vector<RigKind> kinds = plain;
  const auto add_strand = [&kinds]<typename StrandType>(const char* name, const RigKind& under,
                                                        std::type_identity<StrandType>) {
    kinds.push_back(
        {.name = std::string(name) + "_over_" + under.name,
         .make = [make = under.make] { return std::make_unique<StrandRig<StrandType>>(make()); },
         .many_threads = under.many_threads,
         .in_order = true,
         .exclusive = true});
  };
  for (const RigKind& under : plain) {
    add_strand("strand", under, std::type_identity<executors::Strand>());
    add_strand("mutex_strand", under, std::type_identity<executors::MutexStrand>());
  }
  return kinds;
}

}  // namespace schedbench::tests
