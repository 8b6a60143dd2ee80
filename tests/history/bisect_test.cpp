#include "history/bisect.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

namespace schedbench::history::tests {

namespace {

using Fields = std::vector<std::size_t>;

// A set is bad if it has all of the cause.
struct Oracle {
  Fields cause;
  int tests = 0;

  Nearer operator()(const Fields& chosen) {
    ++tests;
    return std::ranges::includes(chosen, cause) ? Nearer::kBad : Nearer::kGood;
  }
};

Fields CauseOf(std::size_t fields, Oracle& oracle) {
  return MinimalCause(fields, [&oracle](const Fields& chosen) {
    EXPECT_TRUE(std::ranges::is_sorted(chosen));
    EXPECT_FALSE(chosen.empty());
    return oracle(chosen);
  });
}

TEST(MinimalCause, IsEachSingleField) {
  for (std::size_t fields = 1; fields <= 20; ++fields) {
    for (std::size_t field = 0; field < fields; ++field) {
      Oracle oracle{{field}};
      EXPECT_EQ(CauseOf(fields, oracle), Fields{field});
      EXPECT_LE(oracle.tests, 10) << "binary search";
    }
  }
}

TEST(MinimalCause, IsEachPairOfFields) {
  for (std::size_t a = 0; a < 12; ++a) {
    for (std::size_t b = a + 1; b < 12; ++b) {
      Oracle oracle{{a, b}};
      EXPECT_EQ(CauseOf(12, oracle), (Fields{a, b}));
    }
  }
}

TEST(MinimalCause, IsAllFieldsIfEachIsNeeded) {
  Oracle oracle{{0, 1, 2, 3, 4}};
  EXPECT_EQ(CauseOf(5, oracle), (Fields{0, 1, 2, 3, 4}));
}

TEST(MinimalCause, TestsNoSetTwiceAndTakesInconclusiveSetsAsNotBad) {
  std::set<Fields> tested;
  const Fields cause = MinimalCause(8, [&tested](const Fields& chosen) {
    EXPECT_TRUE(tested.insert(chosen).second);
    if (chosen.size() == 2) {
      return Nearer::kUnresolved;
    }
    return std::ranges::includes(chosen, Fields{2, 3}) ? Nearer::kBad : Nearer::kBroken;
  });
  EXPECT_TRUE(std::ranges::includes(cause, Fields{2, 3}));
  EXPECT_LE(cause.size(), 3U);
}

TEST(FirstBad, IsFoundAtEveryPlace) {
  for (std::size_t count = 1; count <= 40; ++count) {
    for (std::size_t bad = 0; bad < count; ++bad) {
      int tests = 0;
      const FirstBad found = FindFirstBad(count, [&](std::size_t revision) {
        ++tests;
        return revision >= bad ? Nearer::kBad : Nearer::kGood;
      });
      EXPECT_EQ(found.first, bad);
      EXPECT_EQ(found.last, bad);
      EXPECT_TRUE(found.skipped.empty());
      EXPECT_LE(tests, 6);
    }
  }
}

TEST(FirstBad, IsARangeWhereRevisionsCannotBeMeasured) {
  for (std::size_t bad = 0; bad < 20; ++bad) {
    const std::set<std::size_t> broken{5, 6, 7, 12, 19};
    std::set<std::size_t> tested;
    const FirstBad found = FindFirstBad(20, [&](std::size_t revision) {
      EXPECT_TRUE(tested.insert(revision).second) << "each is tested once";
      return broken.contains(revision) ? Nearer::kBroken
             : revision >= bad         ? Nearer::kBad
                                       : Nearer::kGood;
    });
    EXPECT_LE(found.first, bad);
    EXPECT_GE(found.last, bad);
    for (std::size_t between = found.first; between < found.last; ++between) {
      EXPECT_TRUE(broken.contains(between)) << "only these are undecided";
    }
    EXPECT_EQ(found.skipped.size(), found.last - found.first);
  }
}

}  // namespace

}  // namespace schedbench::history::tests
