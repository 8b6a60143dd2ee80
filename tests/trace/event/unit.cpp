#include "trace/event.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string_view>

namespace schedbench::trace {

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

}  // namespace

}  // namespace schedbench::trace
