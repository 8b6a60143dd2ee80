#include "trace/event.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace schedbench::trace::event_test {

namespace {

TEST(Event, IsTwoWordsLong) {
  EXPECT_EQ(sizeof(Event), 16u);
}

TEST(Event, HasATextOfItsOwnForEachKind) {
  std::set<std::string_view> names;
  for (const EventKindText& text : kEventKinds) {
    EXPECT_FALSE(text.name.empty());
    names.insert(text.name);
  }
  EXPECT_EQ(names.size(), kEventKinds.size());
  EXPECT_EQ(TextOf(EventKind::kSwitch).name, "switch");
  EXPECT_EQ(TextOf(EventKind::kSteal).arg, "tasks taken");
  EXPECT_EQ(TextOf(EventKind::kSearchEnd).name, "search end");
}

TEST(Event, EncodesReasonAndFiberOfASwitchInOneArgument) {
  for (const StopReason why :
       {StopReason::kEnded, StopReason::kYielded, StopReason::kSuspended, StopReason::kLoop}) {
    for (const std::uint16_t label : {0, 1, 16383}) {
      const std::uint16_t arg = SwitchArg(why, label);
      EXPECT_EQ(ReasonOf(arg), why);
      EXPECT_EQ(LabelOf(arg), label);
    }
  }
}

}  // namespace

}  // namespace schedbench::trace::event_test
