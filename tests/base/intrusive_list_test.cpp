#include "base/intrusive_list.hpp"

#include <gtest/gtest.h>

#include <utility>
#include <vector>

namespace schedbench::intrusive_list_test {

namespace {

struct Item : IntrusiveNode<Item> {
  explicit Item(int number)
      : number(number) {
  }

  int number;
};

std::vector<int> PopAll(IntrusiveList<Item>& list) {
  std::vector<int> numbers;
  while (const Item* item = list.TryPopFront()) {
    numbers.push_back(item->number);
  }
  return numbers;
}

class IntrusiveListTest : public testing::Test {
 protected:
  Item one_{1};
  Item two_{2};
  Item three_{3};
  Item four_{4};
  IntrusiveList<Item> list_;
};

TEST_F(IntrusiveListTest, IsEmptyAtFirst) {
  EXPECT_TRUE(list_.IsEmpty());
  EXPECT_EQ(list_.Size(), 0U);
  EXPECT_EQ(list_.TryPopFront(), nullptr);
}

TEST_F(IntrusiveListTest, PopsInTheOrderOfPushBack) {
  list_.PushBack(&one_);
  list_.PushBack(&two_);
  list_.PushBack(&three_);
  EXPECT_EQ(list_.Size(), 3U);
  EXPECT_EQ(PopAll(list_), (std::vector{1, 2, 3}));
  EXPECT_TRUE(list_.IsEmpty());
}

TEST_F(IntrusiveListTest, PopsWhatWasPushedToTheFrontFirst) {
  list_.PushFront(&two_);
  list_.PushFront(&one_);
  list_.PushBack(&three_);
  EXPECT_EQ(PopAll(list_), (std::vector{1, 2, 3}));
}

TEST_F(IntrusiveListTest, CanBeUsedAgainAfterItWasEmptied) {
  list_.PushBack(&one_);
  PopAll(list_);
  list_.PushBack(&two_);
  list_.PushBack(&one_);
  EXPECT_EQ(PopAll(list_), (std::vector{2, 1}));
}

TEST_F(IntrusiveListTest, LeavesAPoppedNodeUnlinked) {
  list_.PushBack(&one_);
  list_.PushBack(&two_);
  EXPECT_EQ(list_.TryPopFront(), &one_);
  EXPECT_EQ(one_.next, nullptr);
}

TEST_F(IntrusiveListTest, AppendsAWholeListAndEmptiesIt) {
  IntrusiveList<Item> other;
  list_.PushBack(&one_);
  other.PushBack(&two_);
  other.PushBack(&three_);
  list_.Append(std::move(other));
  // NOLINTNEXTLINE(bugprone-use-after-move): the list promises to be empty then.
  EXPECT_TRUE(other.IsEmpty());
  EXPECT_EQ(other.Size(), 0U);
  EXPECT_EQ(list_.Size(), 3U);
  other.PushBack(&four_);
  list_.Append(std::move(other));
  EXPECT_EQ(PopAll(list_), (std::vector{1, 2, 3, 4}));
}

TEST_F(IntrusiveListTest, AppendsToAnEmptyListAndOfAnEmptyList) {
  IntrusiveList<Item> other;
  list_.Append(std::move(other));
  EXPECT_TRUE(list_.IsEmpty());
  // NOLINTNEXTLINE(bugprone-use-after-move): a list that was moved from is empty, not lost.
  other.PushBack(&one_);
  list_.Append(std::move(other));
  list_.Append(IntrusiveList<Item>());
  list_.PushBack(&two_);
  EXPECT_EQ(PopAll(list_), (std::vector{1, 2}));
}

TEST_F(IntrusiveListTest, MovesAllToAnotherList) {
  list_.PushBack(&one_);
  list_.PushBack(&two_);
  IntrusiveList<Item> other(std::move(list_));
  EXPECT_TRUE(list_.IsEmpty());
  EXPECT_EQ(other.Size(), 2U);
  other.PushBack(&three_);
  EXPECT_EQ(PopAll(other), (std::vector{1, 2, 3}));
}

// A node of two lists at once, through two bases, as fiber stacks are.
struct TwoWays : IntrusiveNode<Item>, IntrusiveNode<TwoWays> {};

TEST(IntrusiveNode, DistinguishesTheListsOfAType) {
  TwoWays first;
  TwoWays second;
  IntrusiveList<TwoWays> list;
  list.PushBack(&first);
  list.PushBack(&second);
  EXPECT_EQ(first.IntrusiveNode<Item>::next, nullptr);
  EXPECT_EQ(list.TryPopFront(), &first);
  EXPECT_EQ(list.TryPopFront(), &second);
}

}  // namespace

}  // namespace schedbench::intrusive_list_test
