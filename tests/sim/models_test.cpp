#include "tests/sim/explorer/explorer.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <string>

namespace schedbench::sim {

// For gtest.
static void PrintTo(const Model& model, std::ostream* out) {
  *out << model.claim;
}

namespace {

class EveryModel : public testing::TestWithParam<Model> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(ModelRegistration::All()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST_P(EveryModel, HoldsInAllExecutionsWithinItsLimits) {
  const Model& model = GetParam();
  Effort effort;
  effort.limits = model.limits;
  const Finding finding = Explore(model, effort);
  const std::string line = model.name + " " + finding.schedule;
  if (model.must_fail) {
    ASSERT_TRUE(finding.failed) << "a fault that is there is not seen";
    EXPECT_TRUE(RunSchedule(model, finding.schedule, false).failed) << "no replay of " << line;
    return;
  }
  EXPECT_FALSE(finding.failed) << finding.failure << "\nmodels --trace --replay \"" << line << '"';
  EXPECT_TRUE(finding.complete);
}

}  // namespace

}  // namespace schedbench::sim
