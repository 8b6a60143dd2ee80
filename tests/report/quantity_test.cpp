#include "report/parts/quantity.hpp"

#include "config/quote.hpp"
#include "report/parts/replay.hpp"

#include <gtest/gtest.h>

#include <array>
#include <vector>

namespace schedbench::report::quantity_test {

namespace {

constexpr TerminalStyle kUnicode{.unicode = true, .colour = false};
constexpr TerminalStyle kAscii{.unicode = false, .colour = false};

TEST(Quantity, ScaledHasThreeDigitsAndAPrefix) {
  EXPECT_EQ(Scaled(0), "0.00");
  EXPECT_EQ(Scaled(1.234), "1.23");
  EXPECT_EQ(Scaled(12.34), "12.3");
  EXPECT_EQ(Scaled(123.4), "123");
  EXPECT_EQ(Scaled(999.4), "999");
  EXPECT_EQ(Scaled(999.6), "1.00 k");
  EXPECT_EQ(Scaled(4'423'123), "4.42 M");
  EXPECT_EQ(Scaled(2.5e9), "2.50 G");
  EXPECT_EQ(Scaled(2.5e15), "2500 T");
}

TEST(Quantity, DurationChoosesItsUnit) {
  EXPECT_EQ(Duration(4.5, kUnicode), "4.50 ns");
  EXPECT_EQ(Duration(999.6, kUnicode), "1.00 µs");
  EXPECT_EQ(Duration(3200, kUnicode), "3.20 µs");
  EXPECT_EQ(Duration(3200, kAscii), "3.20 us");
  EXPECT_EQ(Duration(1.2e7, kUnicode), "12.0 ms");
  EXPECT_EQ(Duration(2.5e9, kUnicode), "2.50 s");
}

TEST(Quantity, PrefixIsPartOfAUnitAndStandsBeforeAWord) {
  EXPECT_EQ(WithUnit(12, "B"), "12.0 B");
  EXPECT_EQ(WithUnit(1200, "B"), "1.20 kB");
  EXPECT_EQ(WithUnit(1200, "tasks"), "1.20 k tasks");
}

TEST(Quantity, CountIsExactBelowAMillion) {
  EXPECT_EQ(Count(0), "0");
  EXPECT_EQ(Count(999), "999");
  EXPECT_EQ(Count(1000), "1 000");
  EXPECT_EQ(Count(999'999), "999 999");
  EXPECT_EQ(Count(192'148'000), "192.1 M");
  EXPECT_EQ(Count(12'000'000'000), "12.0 G");
}

TEST(Quantity, PercentDistinguishesNothingFromVeryLittle) {
  EXPECT_EQ(Percent(0), "0 %");
  EXPECT_EQ(Percent(0.0001), "<0.1 %");
  EXPECT_EQ(Percent(0.042), "4.2 %");
  EXPECT_EQ(Percent(0.914), "91 %");
  EXPECT_EQ(Percent(1), "100 %");
}

TEST(Quantity, PlusMinusIsHalfTheWidthByTheMiddle) {
  EXPECT_EQ(PlusMinus(98, 100, 104, kUnicode), "±3.0 %");
  EXPECT_EQ(PlusMinus(98, 100, 104, kAscii), "+-3.0 %");
  EXPECT_EQ(PlusMinus(100, 100, 100, kUnicode), "±0 %");
  EXPECT_EQ(PlusMinus(99.99, 100, 100, kUnicode), "±0.1 %");
  EXPECT_EQ(PlusMinus(0, 0, 0, kUnicode), "");
  EXPECT_EQ(PlusMinus(0, 1, 20, kUnicode), "±1000 %");
  EXPECT_EQ(PlusMinus(0, 1, 21, kUnicode), "±>1000 %");
}

TEST(Sparkline, ReachesFromTheLeastToTheGreatest) {
  EXPECT_EQ(Sparkline(std::array{1.0, 2.0, 3.0}, 20), "▁▅█");
  EXPECT_EQ(Sparkline(std::array{3.0, 1.0}, 20), "█▁");
}

TEST(Sparkline, DoesNotMakeMountainsOfNoise) {
  EXPECT_EQ(Sparkline(std::array{100.0, 100.0, 100.0}, 20), "▅▅▅");
  EXPECT_EQ(Sparkline(std::array{100.0, 100.1}, 20), "▄▅");
}

TEST(Sparkline, JoinsNeighboursToFit) {
  const std::vector<double> values(1000, 5.0);
  EXPECT_EQ(config::CharacterCount(Sparkline(values, 20)), 20);
  EXPECT_EQ(Sparkline(std::array{1.0, 1.0, 9.0, 9.0}, 2), "▁█");
}

TEST(Sparkline, OfNothingOrZeroesIsHarmless) {
  EXPECT_EQ(Sparkline({}, 20), "");
  EXPECT_EQ(Sparkline(std::array{0.0, 0.0}, 20), "▁▁");
}

TEST(ShellWord, QuotesOnlyWhatNeedsIt) {
  EXPECT_EQ(ShellWord("pingpong:pairs=8,hint=next"), "pingpong:pairs=8,hint=next");
  EXPECT_EQ(ShellWord("my config.json"), "'my config.json'");
  EXPECT_EQ(ShellWord("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellWord(""), "''");
  EXPECT_EQ(ShellWord("$(rm)"), "'$(rm)'");
}

}  // namespace

}  // namespace schedbench::report::quantity_test
