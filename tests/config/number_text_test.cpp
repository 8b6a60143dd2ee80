#include "config/number_text.hpp"

#include <gtest/gtest.h>

#include <string_view>

namespace schedbench::config::number_text_test {
namespace {

TEST(NumberText, DistinguishesWholeNumbersFromDecimalOnes) {
  for (const std::string_view text : {"0", "7", "-7", "1048576", "18446744073709551616"}) {
    EXPECT_EQ(FormOf(text), NumberForm::kWhole) << text;
  }
  for (const std::string_view text : {"-0", "3.0", "3.9", "1e3", "1E+3", "-0.5e-3", "1e999"}) {
    EXPECT_EQ(FormOf(text), NumberForm::kDecimal) << text;
  }
}

TEST(NumberText, RefusesWhatJsonDoesNotCallANumber) {
  for (const std::string_view text : {"", "-", "+5", "010", "-01", "0x10", ".5", "5.", "1e", "1e+",
                                      " 5", "5 ", "5a", "nan", "inf", "1_000", "1,5"}) {
    EXPECT_EQ(FormOf(text), NumberForm::kNone) << text;
  }
}

TEST(NumberText, MeasuresTheLongestNumberAtTheStart) {
  EXPECT_EQ(NumberLength("12,3"), 2u);
  EXPECT_EQ(NumberLength("010"), 1u);
  EXPECT_EQ(NumberLength("1.5.5"), 3u);
  EXPECT_EQ(NumberLength("1e+}"), 1u);
  EXPECT_EQ(NumberLength("-2.5e+10]"), 8u);
  EXPECT_EQ(NumberLength("-"), 0u);
  EXPECT_EQ(NumberLength("true"), 0u);
}

}  // namespace
}  // namespace schedbench::config::number_text_test
