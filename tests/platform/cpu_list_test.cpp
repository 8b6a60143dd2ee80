#include "platform/machine/cpu_list.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace schedbench::platform::cpu_list_test {

namespace {

TEST(CpuListText, JoinsNeighbours) {
  EXPECT_EQ(CpuListText({0, 1, 2, 5}), "0-2,5");
  EXPECT_EQ(CpuListText({3}), "3");
  EXPECT_EQ(CpuListText({}), "unknown");
}

TEST(ParseCpuList, ReadsWhatTheKernelWrites) {
  EXPECT_EQ(ParseCpuList("0-2,5"), (std::vector<int>{0, 1, 2, 5}));
  EXPECT_EQ(ParseCpuList("7"), (std::vector<int>{7}));
  EXPECT_EQ(ParseCpuList("4-5,4,0"), (std::vector<int>{0, 4, 5}));
}

TEST(ParseCpuList, RefusesAllOthers) {
  for (const char* const text : {"", ",", "0,", "a", "0-", "-1", "2-1", "0 1", "0-99999999",
                                 "99999999999999999999", "0;1"}) {
    EXPECT_FALSE(ParseCpuList(text)) << text;
  }
}

}  // namespace

}  // namespace schedbench::platform::cpu_list_test
