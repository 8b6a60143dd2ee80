#include "base/stable_sort.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::stable_sort_test {

namespace {

TEST(StableSort, KeepsTheOrderOfEqualValues) {
  std::vector<std::pair<int, std::string>> values{{2, "a"}, {1, "b"}, {2, "c"}, {1, "d"}};
  StableSort(values, {}, &std::pair<int, std::string>::first);
  EXPECT_EQ(values,
            (std::vector<std::pair<int, std::string>>{{1, "b"}, {1, "d"}, {2, "a"}, {2, "c"}}));
  StableSort(values, std::ranges::greater{}, &std::pair<int, std::string>::first);
  EXPECT_EQ(values,
            (std::vector<std::pair<int, std::string>>{{2, "a"}, {2, "c"}, {1, "b"}, {1, "d"}}));
}

TEST(StableSort, MovesValuesThatCannotBeCopied) {
  std::vector<std::unique_ptr<int>> values;
  values.push_back(std::make_unique<int>(5));
  values.push_back(std::make_unique<int>(3));
  StableSort(values, {}, [](const std::unique_ptr<int>& value) { return *value; });
  EXPECT_EQ(*values.front(), 3);
}

}  // namespace

}  // namespace schedbench::stable_sort_test
