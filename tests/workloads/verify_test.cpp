// That no workload takes silence for a right answer.
#include "registry/workload.hpp"
#include "tests/support/schedulers.hpp"

#include <gtest/gtest.h>

namespace schedbench::tests::verify_test {

namespace {

TEST(EachWorkload, CallsARoundWrongThatDidNotRun) {
  for (const registry::WorkloadEntry* entry : registry::Workloads()) {
    const auto workload = entry->make(SmallSettings(entry->schema()), 1);
    workload->Prepare();
    EXPECT_NE(workload->Verify(), "") << entry->name;
  }
}

TEST(EachWorkload, CallsARoundWrongThatDidNotRunAfterOneThatDid) {
  const auto scheduler = MakeScheduler("fast", 2);
  for (const registry::WorkloadEntry* entry : registry::Workloads()) {
    const auto workload = entry->make(SmallSettings(entry->schema()), 1);
    workload->Prepare();
    workload->Run(*scheduler);
    scheduler->WaitIdle();
    ASSERT_EQ(workload->Verify(), "") << entry->name;
    workload->Prepare();
    EXPECT_NE(workload->Verify(), "") << entry->name;
  }
}

TEST(EachWorkload, ReportsAllTheMetricsThatItDeclares) {
  const auto scheduler = MakeScheduler("global_fifo", 2);
  for (const registry::WorkloadEntry* entry : registry::Workloads()) {
    const auto workload = entry->make(SmallSettings(entry->schema()), 1);
    workload->Prepare();
    workload->Run(*scheduler);
    scheduler->WaitIdle();
    EXPECT_EQ(workload->Metrics().size(), entry->metrics.size()) << entry->name;
  }
}

}  // namespace

}  // namespace schedbench::tests::verify_test
