#include "profile/sampling/stack_profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace schedbench::profile::stack_profile_test {

namespace {

TEST(StackProfile, KeepsEqualFramesOnce) {
  StackProfile profile;
  const Frame frame{.name = "f()", .module = "/bin/x", .address = 0x10};
  const FrameId first = profile.Add(frame);
  EXPECT_EQ(profile.Add(frame), first);
  EXPECT_EQ(profile.FrameCount(), 1u);
  for (const Frame& other :
       {Frame{.name = "g()", .module = "/bin/x", .address = 0x10},
        Frame{.name = "f()", .module = "/bin/y", .address = 0x10},
        Frame{.name = "f()", .module = "/bin/x", .address = 0x11},
        Frame{.name = "f()", .module = "/bin/x", .address = 0x10, .is_inlined = true}}) {
    const FrameId id = profile.Add(other);
    EXPECT_NE(id, first);
    EXPECT_EQ(profile.FrameAt(id), other);
  }
  EXPECT_EQ(profile.FrameCount(), 5u);
}

TEST(StackProfile, KeepsEqualStacksOnceInTheirOrder) {
  StackProfile profile;
  const FrameId a = profile.Add({.name = "a", .module = ""});
  const FrameId b = profile.Add({.name = "b", .module = ""});
  const StackId ab = profile.AddStack(std::array{a, b});
  const StackId ba = profile.AddStack(std::array{b, a});
  const StackId none = profile.AddStack({});
  EXPECT_NE(ab, ba);
  EXPECT_EQ(profile.AddStack(std::array{a, b}), ab);
  EXPECT_EQ(profile.AddStack({}), none);
  EXPECT_EQ(profile.StackCount(), 3u);
  const auto stack = profile.StackAt(ba);
  EXPECT_EQ(std::vector<FrameId>(stack.begin(), stack.end()), (std::vector<FrameId>{b, a}));
  EXPECT_TRUE(profile.StackAt(none).empty());
}

}  // namespace

}  // namespace schedbench::profile::stack_profile_test
