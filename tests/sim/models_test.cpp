#include "tests/sim/explorer/explorer.hpp"
#include "tests/sim/explorer/test_effort.hpp"
#include "tests/support/tier.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <ostream>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::sim {

// For gtest.
static void PrintTo(const Model& model, std::ostream* out) {
  *out << model.claim;
}

namespace {

using tests::FullTier;

class EveryModel : public testing::TestWithParam<Model> {};

INSTANTIATE_TEST_SUITE_P(Models, EveryModel, testing::ValuesIn(ModelRegistration::All()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST_P(EveryModel, HoldsInAllExecutionsWithinItsLimits) {
  const Model& model = GetParam();
  const Effort effort = FullTier() ? FullEffort(model) : QuickEffort(model);
  const Finding finding = Explore(model, effort);
  const std::string line = model.name + " " + finding.schedule;
  if (model.must_fail) {
    ASSERT_TRUE(finding.failed) << "a fault that is there is not seen";
    EXPECT_TRUE(RunSchedule(model, finding.schedule, false).failed) << "no replay of " << line;
    return;
  }
  EXPECT_FALSE(finding.failed) << finding.failure << "\nmodels --trace --replay \"" << line << '"';
  EXPECT_TRUE(finding.complete || finding.executions >= effort.executions);
}

class EveryFault : public testing::TestWithParam<Model> {};

std::vector<Model> ModelsThatMustFail() {
  std::vector<Model> models;
  for (const Model& model : ModelRegistration::All()) {
    if (model.must_fail) {
      models.push_back(model);
    }
  }
  return models;
}

INSTANTIATE_TEST_SUITE_P(Models, EveryFault, testing::ValuesIn(ModelsThatMustFail()),
                         [](const auto& info) {
                           std::string name = info.param.name;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

TEST_P(EveryFault, IsRepeatedByItsLineWhateverStrategyFoundIt) {
  const Model& model = GetParam();
  int found = 0;
  for (const Strategy strategy : {Strategy::kPriorities, Strategy::kRandom}) {
    for (std::uint64_t seed = 1; seed <= 10; ++seed) {
      Effort effort;
      effort.strategy = strategy;
      effort.limits = model.limits;
      effort.limits.preemptions = Limits::kUnlimited;
      effort.seed = seed;
      effort.executions = 3'000;
      const Finding finding = Explore(model, effort);
      if (finding.failed) {
        ++found;
        EXPECT_EQ(RunSchedule(model, finding.schedule, false).failure, finding.failure)
            << model.name << ' ' << finding.schedule;
      }
    }
  }
  EXPECT_GT(found, 0) << "chance alone never found it";
}

TEST(Schedule, SurvivesAsText) {
  const std::string text = "0@15>2 2@7=1 1@1000000/0 1@3!1";
  EXPECT_EQ(ToText(ParseSchedule(text)), text);
  EXPECT_TRUE(ParseSchedule("").empty());
}

TEST(Schedule, IsRefusedWithThePlaceOfTheMistake) {
  for (const char* text : {"0", "0@", "0@5", "0@5-1", "x@1>2", "0@5>99999999999", "0@5>1,"}) {
    EXPECT_THROW(ParseSchedule(text), std::invalid_argument) << text;
  }
}

TEST(Schedule, OfAnotherModelIsRefused) {
  EXPECT_THROW(RunSchedule(ModelRegistration::All().front(), "7@999999>3", false),
               std::invalid_argument);
}

}  // namespace

}  // namespace schedbench::sim
