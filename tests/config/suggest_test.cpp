#include "config/suggest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::config::suggest_test {
namespace {

constexpr std::array<std::string_view, 5> kNames{"workers", "local_queue_capacity", "lifo_limit",
                                                 "lifo_slot", "fast"};

TEST(EditDistance, CountsInsertionsDeletionsReplacementsAndSwaps) {
  EXPECT_EQ(EditDistance("", ""), 0u);
  EXPECT_EQ(EditDistance("", "abc"), 3u);
  EXPECT_EQ(EditDistance("abc", "abxc"), 1u);
  EXPECT_EQ(EditDistance("abc", "ac"), 1u);
  EXPECT_EQ(EditDistance("abc", "axc"), 1u);
  EXPECT_EQ(EditDistance("abc", "acb"), 1u);
  EXPECT_EQ(EditDistance("kitten", "sitting"), 3u);
  EXPECT_EQ(EditDistance("ca", "abc"), 3u);  // 2 without the rule that no part is edited twice
}

TEST(Nearest, FindsTheNameBehindASlip) {
  EXPECT_EQ(Nearest("local_queue_capacitty", kNames), "local_queue_capacity");
  EXPECT_EQ(Nearest("wrokers", kNames), "workers");
  EXPECT_EQ(Nearest("lifo_lmit", kNames), "lifo_limit");
  EXPECT_EQ(Nearest("localQueueCapacity", kNames), "local_queue_capacity");
}

TEST(Nearest, TakesAnotherCaseOfLettersForTheSameName) {
  EXPECT_EQ(Nearest("LIFO_SLOT", kNames), "lifo_slot");
  constexpr std::array<std::string_view, 2> kCases{"fasT2", "FAST"};
  EXPECT_EQ(Nearest("fast", kCases), "FAST");
}

TEST(Nearest, IsNothingWhenEveryNameIsFar) {
  EXPECT_EQ(Nearest("fifo", kNames), std::nullopt);
  EXPECT_EQ(Nearest("", kNames), std::nullopt);
  EXPECT_EQ(Nearest("threads", kNames), std::nullopt);
  EXPECT_EQ(Nearest("workers", {}), std::nullopt);
  constexpr std::array<std::string_view, 1> kShort{"n"};
  EXPECT_EQ(Nearest("m", kShort), std::nullopt);
}

TEST(DidYouMean, OffersAllNamesThatAreAboutAsNear) {
  constexpr std::array<std::string_view, 3> kGlobal{"global_queue", "global_grab", "workers"};
  EXPECT_EQ(DidYouMean("global_take", kGlobal), "; did you mean 'global_queue' or 'global_grab'?");
}

TEST(DidYouMean, OffersTheThreeNearestOfManyIfNoneIsNear) {
  constexpr std::array<std::string_view, 6> kMany{
      "workers", "local_queue_capacity", "lifo_limit", "lifo_slot", "fast", "single_thread"};
  EXPECT_EQ(DidYouMean("thread", kMany), "; did you mean 'workers', 'fast' or 'single_thread'?");
}

TEST(DidYouMean, NamesEachCandidateOnce) {
  constexpr std::array<std::string_view, 3> kTwice{"first_done", "first_done", "last_done"};
  EXPECT_EQ(DidYouMean("first_don", kTwice), "; did you mean 'first_done'?");
}

TEST(DidYouMean, ListsTheNamesOfWhichOneIsTheBeginning) {
  EXPECT_EQ(DidYouMean("LIFO", kNames), "; did you mean 'lifo_slot' or 'lifo_limit'?");
  EXPECT_EQ(DidYouMean("local", kNames), "; did you mean 'local_queue_capacity'?");
  EXPECT_EQ(DidYouMean("w", kNames),
            "; expected one of workers, local_queue_capacity, lifo_limit, lifo_slot, fast");
}

TEST(Nearest, AnswersAtOnceToATextOfMegabytes) {
  // NOLINTNEXTLINE(bugprone-string-constructor): so long by purpose.
  EXPECT_EQ(Nearest(std::string(50'000'000, 'w'), kNames), std::nullopt);
}

TEST(DidYouMean, SuggestsTheNearestOrListsAFew) {
  EXPECT_EQ(DidYouMean("worker", kNames), "; did you mean 'workers'?");
  EXPECT_EQ(DidYouMean("threads", kNames),
            "; expected one of workers, local_queue_capacity, lifo_limit, lifo_slot, fast");
  EXPECT_EQ(DidYouMean("threads", {}), "; there are none");
}

}  // namespace
}  // namespace schedbench::config::suggest_test
