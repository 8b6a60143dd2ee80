#include "profile/page_with_data.hpp"

#include <gtest/gtest.h>

namespace schedbench::profile::page_with_data_test {

namespace {

TEST(PageWithData, PutsTheDataInItsPlaceAndMasksWhatCouldEndIt) {
  EXPECT_EQ(PageWithData("<a><!--schedbench-data--></a>", R"({"x":"</script><"})"),
            "<a><script type=\"application/json\" id=\"data\">"
            R"({"x":"\u003c/script>\u003c"})"
            "</script></a>");
}

TEST(PageWithData, LeavesDataWithoutSuchSignsAsItIs) {
  EXPECT_EQ(PageWithData("<!--schedbench-data-->", "{}"),
            "<script type=\"application/json\" id=\"data\">{}</script>");
}

}  // namespace

}  // namespace schedbench::profile::page_with_data_test
