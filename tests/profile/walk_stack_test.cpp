#include "profile/sampling/walk_stack.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <vector>

namespace schedbench::profile::walk_stack_test {

namespace {

// A stack of 64 words, on which each test puts its frames: the caller's frame pointer, then where
// the call returns to.
class WalkStackTest : public testing::Test {
 protected:
  std::uintptr_t At(std::size_t word) const {
    return reinterpret_cast<std::uintptr_t>(words_.data() + word);
  }

  void PutFrame(std::size_t word, std::uintptr_t caller, std::uintptr_t return_address) {
    words_[word] = caller;
    words_[word + 1] = return_address;
  }

  // The calls of a thread that was in 0x10000, with its stack pointer and its frame pointer at
  // these words.
  std::vector<std::uintptr_t> Calls(std::size_t stack_pointer, std::uintptr_t frame_pointer,
                                    std::size_t most = 16) {
    std::vector<std::uintptr_t> calls(most);
    const Walk walk = WalkStack({.program_counter = 0x10000,
                                 .stack_pointer = At(stack_pointer),
                                 .frame_pointer = frame_pointer},
                                At(0), At(64), calls);
    truncated_ = walk.truncated;
    calls.resize(walk.calls);
    return calls;
  }

  using Addresses = std::vector<std::uintptr_t>;

  alignas(16) std::array<std::uintptr_t, 66> words_{};
  bool truncated_ = false;
};

TEST_F(WalkStackTest, FollowsTheFramesToTheBase) {
  PutFrame(10, At(20), 0x20000);
  PutFrame(20, At(62), 0x30000);
  PutFrame(62, 0, 0x40000);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000, 0x30000, 0x40000}));
  EXPECT_FALSE(truncated_);
}

TEST_F(WalkStackTest, IsTruncatedWhereTheChainEndsBeforeTheBase) {
  PutFrame(10, At(20), 0x20000);
  PutFrame(20, 0, 0x30000);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000, 0x30000}));
  EXPECT_TRUE(truncated_);
  PutFrame(20, At(62), 0);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
  EXPECT_EQ(Calls(8, 0), Addresses{0x10000});
  EXPECT_TRUE(truncated_);
}

TEST_F(WalkStackTest, OfAThreadsOwnStackMayEndInCodeWithoutFrames) {
  PutFrame(10, At(20), 0x20000);
  PutFrame(20, 77, 0x30000);
  std::vector<std::uintptr_t> calls(16);
  const Walk walk =
      WalkStack({.program_counter = 0x10000, .stack_pointer = At(8), .frame_pointer = At(10)},
                At(0), At(64), calls, Base::kAnywhere);
  calls.resize(walk.calls);
  EXPECT_EQ(calls, (Addresses{0x10000, 0x20000, 0x30000}));
  EXPECT_FALSE(walk.truncated);
}

// Code without frame pointers uses that register for something else, and has saved the caller's on
// the stack.
TEST_F(WalkStackTest, ContinuesAtASavedFramePointerWhereTheRegisterHoldsNone) {
  PutFrame(20, At(30), 0x20000);
  PutFrame(30, At(62), 0x30000);
  PutFrame(62, 0, 0x40000);
  words_[8] = At(40);  // leads nowhere
  words_[9] = At(4);   // is below
  words_[11] = At(20);
  words_[12] = At(30);
  for (const std::uintptr_t register_value : {std::uintptr_t{0}, std::uintptr_t{77}, At(40)}) {
    const Addresses expected{0x10000, 0x20000, 0x30000, 0x40000};
    EXPECT_EQ(Calls(8, register_value), expected);
    EXPECT_FALSE(truncated_);
  }
}

// In the middle of a switch the register is still that of the stack that the thread has left.
TEST_F(WalkStackTest, ContinuesAtTheFramePointerThatASwitchIsAboutToLoad) {
  PutFrame(20, At(62), 0x20000);
  PutFrame(62, 0, 0x40000);
  words_[8] = 0x1234567;  // where the switch continues
  words_[9] = At(20);
  EXPECT_EQ(Calls(8, 0x7fff0000), (Addresses{0x10000, 0x20000, 0x40000}));
  EXPECT_EQ(Calls(9, 0x7fff0000), (Addresses{0x10000, 0x20000, 0x40000}));
  EXPECT_FALSE(truncated_);
}

TEST_F(WalkStackTest, DoesNotFollowAChainThatLeavesTheStack) {
  PutFrame(10, At(64), 0x20000);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
  PutFrame(10, At(63), 0x20000);  // only half of it is inside
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
  PutFrame(10, UINTPTR_MAX - 7, 0x20000);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
}

TEST_F(WalkStackTest, DoesNotFollowAChainThatDoesNotClimb) {
  PutFrame(10, At(10), 0x20000);
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
  PutFrame(10, At(11), 0x20000);  // overlaps
  EXPECT_EQ(Calls(8, At(10)), (Addresses{0x10000, 0x20000}));
  EXPECT_TRUE(truncated_);
  EXPECT_EQ(Calls(12, At(10)), Addresses{0x10000});  // below the stack pointer
  EXPECT_TRUE(truncated_);
}

TEST_F(WalkStackTest, DoesNotFollowAFramePointerThatIsNotAligned) {
  EXPECT_EQ(Calls(8, At(10) + 4), Addresses{0x10000});
  EXPECT_TRUE(truncated_);
}

TEST_F(WalkStackTest, ReadsNothingWhereTheStackPointerIsElsewhere) {
  std::vector<std::uintptr_t> calls(4);
  for (const std::uintptr_t elsewhere : {At(64), At(0) - 8, std::uintptr_t{0}}) {
    const Walk walk =
        WalkStack({.program_counter = 0x10000, .stack_pointer = elsewhere, .frame_pointer = 0x7008},
                  At(0), At(64), calls);
    EXPECT_EQ(walk.calls, 1u);
    EXPECT_TRUE(walk.truncated);
  }
  const Walk of_no_stack =
      WalkStack({.program_counter = 0x10000, .stack_pointer = 0x7000}, 0, 0, calls);
  EXPECT_EQ(of_no_stack.calls, 1u);
  EXPECT_TRUE(of_no_stack.truncated);
}

TEST_F(WalkStackTest, WritesNoMoreThanThereIsRoomFor) {
  for (std::size_t frame = 10; frame < 60; frame += 2) {
    PutFrame(frame, At(frame + 2), 0x20000 + frame);
  }
  EXPECT_EQ(Calls(8, At(10), 3), (Addresses{0x10000, 0x2000a, 0x2000c}));
  EXPECT_TRUE(truncated_);
  EXPECT_TRUE(Calls(8, At(10), 0).empty());
  EXPECT_TRUE(truncated_);
}

}  // namespace

}  // namespace schedbench::profile::walk_stack_test
