#include "profile/stack_text.hpp"

#include "config/input_error.hpp"
#include "profile/folded_reader.hpp"
#include "tests/profile/example.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::profile::stack_text_test {

namespace {

using Texts = std::vector<std::string>;

std::string Refusal(std::string_view text) {
  try {
    ReadStackText(text, "a.folded");
  } catch (const config::InputError& error) {
    return error.what();
  }
  return "";
}

StackText Data(const std::string& name) {
  std::ifstream file(std::string(SB_PROFILE_DATA) + "/" + name);
  return ReadStackText(std::string(std::istreambuf_iterator<char>(file), {}), name);
}

FoldedStacks Stacks(std::string_view text) {
  return ReadStackText(text, "x").events.at(0).stacks;
}

std::string Utf16(std::u16string_view text, bool is_big) {
  std::string bytes;
  for (const char16_t unit : text) {
    const auto high = static_cast<char>(unit >> 8U);
    const auto low = static_cast<char>(unit & 0xffU);
    bytes += is_big ? high : low;
    bytes += is_big ? low : high;
  }
  return bytes;
}

TEST(ParseFolded, ReadsWhatWasWritten) {
  const FoldedStacks stacks = Fold(ExampleProfile("fiber:a 5; b -> (c)"), {.worker = true});
  EXPECT_EQ(Stacks(FoldedText(stacks, 1)), stacks);
}

TEST(ParseFolded, AddsEqualStacksAndPassesOverEmptyLinesAndComments) {
  EXPECT_EQ(Stacks("a;b 1\r\n\na;b 2\n  \nc\t3  \n# a 7\n// b"),
            (FoldedStacks{{"a;b", 3}, {"c", 3}}));
  const StackText read = Data("folded_comments.txt");
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a;b", 5}, {"a;b;c", 5}, {"a;b;d", 4}}));
  EXPECT_EQ(read.left_out, Texts{"bad lines: 1, the first in line 8: 'invalid line'"});
}

TEST(ParseFolded, CountsBadLinesAndReadsTheOthers) {
  const StackText read = Data("folded_bad_line.txt");
  EXPECT_EQ(read.events[0].stacks.size(), 3u);
  EXPECT_EQ(read.left_out, Texts{"bad lines: 1, the first in line 3: 'THIS IS A BAD LINE'"});
}

TEST(ParseFolded, KeepsFractionsExactly) {
  const StackText read = Data("folded_fractions.txt");
  EXPECT_EQ(read.scale, 100u);
  EXPECT_EQ(read.events[0].stacks.at("cksum;cksum"), 610u);
  EXPECT_EQ(ReadStackText("a 0.1\na 0.2\nb 6.\nc 1.5e+03\nd 2E-2\ne 31.0", "x").events[0].stacks,
            (FoldedStacks{{"a", 30}, {"b", 600}, {"c", 150000}, {"d", 2}, {"e", 3100}}));
  EXPECT_EQ(Stacks("a 1e-30\nb 0\nc 007"), (FoldedStacks{{"a", 0}, {"b", 0}, {"c", 7}}));
}

TEST(ParseFolded, RoundsDecimalsThatDoNotFitAndReportsIt) {
  const StackText cut = ReadStackText("a 1.1234567890123456789", "x");
  EXPECT_EQ(cut.left_out, Texts{"weights cut to 18 decimals: 1, the first in line 1: 'a "
                                "1.1234567890123456789'"});
  const StackText read = ReadStackText("a 0.123456789012345678\nb 2000000", "x");
  EXPECT_EQ(read.left_out, Texts{"digits of weights beyond 12 decimals: 1, the first in line 1"});
  EXPECT_EQ(read.events[0].stacks.at("a"), 123456789012u);
  EXPECT_EQ(read.events[0].stacks.at("b"), 2000000 * read.scale);
}

TEST(ParseFolded, ReadsTwoWeightsInEachLineAsADifference) {
  const StackText read = ReadStackText("a;b 3 5\na;c 0 2\na;b 1 1.5\n", "x");
  ASSERT_TRUE(read.events[0].before.has_value());
  EXPECT_EQ(read.scale, 10u);
  EXPECT_EQ(*read.events[0].before, (FoldedStacks{{"a;b", 40}, {"a;c", 0}}));
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a;b", 65}, {"a;c", 20}}));
}

TEST(ParseFolded, ReportsThatItReadsADifference) {
  const StackText all = ReadStackText("main;worker 1 5\nmain;worker 2 6\n", "x");
  EXPECT_EQ(all.notes, Texts{"read as a difference: two counts a line"});
  EXPECT_TRUE(all.events[0].before.has_value());
  EXPECT_EQ(ReadStackText("main;worker 1 5\nmain 6\n", "x").notes, Texts{});
}

TEST(ParseFolded, CountsLinesWithOneWeightInADifferenceAsBad) {
  const StackText read = ReadStackText("a;b 3 5\na;c 0 2\na;d 7\n", "x");
  ASSERT_TRUE(read.events[0].before.has_value());
  EXPECT_EQ(*read.events[0].before, (FoldedStacks{{"a;b", 3}, {"a;c", 0}}));
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a;b", 5}, {"a;c", 2}}));
  EXPECT_EQ(read.left_out, Texts{"bad lines: 1, the first in line 3: 'a;d 7'"});
}

TEST(ParseFolded, ReadsAFractionWithoutAWholePart) {
  const StackText read = ReadStackText("a .5\nb 1.25\n", "x");
  EXPECT_EQ(read.scale, 100U);
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a", 50}, {"b", 125}}));
}

TEST(ParseFolded, TakesANumberAtTheEndOfANameForItsPart) {
  EXPECT_EQ(Stacks("a;worker 3 5\na;c 2\n"), (FoldedStacks{{"a;worker 3", 5}, {"a;c", 2}}));
  EXPECT_EQ(Stacks("worker 0 12\nworker 1 13\n"),
            (FoldedStacks{{"worker 0", 12}, {"worker 1", 13}}));
}

TEST(ParseFolded, RefusesAFileOfBadLinesWithTheFirstOfThem) {
  EXPECT_EQ(Refusal("\nabc\n"),
            "a.folded:2: 'abc': expected STACK WEIGHT, with a blank between them");
  EXPECT_EQ(Refusal("a -1"), "a.folded:1: 'a -1': the weight '-1' is not a number of at least 0");
  EXPECT_EQ(Refusal("a 99999999999999999999"),
            "a.folded:1: 'a 99999999999999999999': the weight '99999999999999999999' is not a "
            "number of at least 0");
  EXPECT_EQ(Refusal(" 5"), "a.folded:1: '5': expected STACK WEIGHT, with a blank between them");
  EXPECT_EQ(Refusal("; 5"), "a.folded:1: '; 5': there is no stack before the weight");
  EXPECT_EQ(Refusal("a 18446744073709551615\na 1"),
            "a.folded: the sum of the weights of one stack does not fit into 64 bits");
  EXPECT_EQ(Refusal(""), "a.folded: the file has no stacks");
  for (const char* const weight :
       {"", ".", "1.2.3", "1e", "1e+", "1e++2", "1e99", "0-1", "1e30", "0x10", "nan", "+1"}) {
    EXPECT_NE(Refusal(std::string("a;b ") + weight), "") << weight;
  }
}

TEST(ReadStackText, RecognizesEncodings) {
  const FoldedStacks expected{{"a;b\u00e9\U0001F600", 3}};
  const std::u16string text = u"\ufeffa;b\u00e9\U0001F600 3\r\n";
  EXPECT_EQ(Stacks(Utf16(text, false)), expected);
  EXPECT_EQ(Stacks(Utf16(text, true)), expected);
  EXPECT_EQ(Stacks("\ufeffa;b\u00e9\U0001F600 3\r\n"), expected);
  EXPECT_EQ(Stacks(Utf16(u"\ufeffa\xd800 3", false)), (FoldedStacks{{"a\ufffd", 3}}));
}

TEST(ReadStackText, NamesBinaryFilesAndPrintsNoneOfTheirBytes) {
  using namespace std::string_view_literals;
  EXPECT_EQ(Refusal("PERFILE2\x68\0\0\0\x1b[31m"sv),
            "a.folded: this is the data of perf record, not text    perf script -i a.folded > "
            "a.folded.txt");
  EXPECT_NE(Refusal("\x0a\x20\x10\0\x1b[31m"sv).find("a trace of Perfetto or a profile of pprof"),
            std::string::npos);
  EXPECT_EQ(Refusal("ab\0\x1b[31m 5\n"sv),
            "a.folded: this is a binary file, not text    convert it to folded stacks");
  EXPECT_NE(Refusal("\x28\xb5\x2f\xfd\x01"sv).find("zstd -dc"), std::string::npos);
  EXPECT_EQ(Refusal("BZh 5\n"), "");
  EXPECT_EQ(Refusal("\nPK;gmon 5\n"), "");
}

}  // namespace

}  // namespace schedbench::profile::stack_text_test
