#include "config/quote.hpp"

#include <gtest/gtest.h>

#include <string>

namespace schedbench::config::quote_test {
namespace {

TEST(Quote, LeavesPlainAndUtf8TextAlone) {
  EXPECT_EQ(Quoted("local_queue"), "'local_queue'");
  EXPECT_EQ(Escaped("größe 数 🙂"), "größe 数 🙂");
}

TEST(Quote, EscapesControlCharactersAndBackslashes) {
  EXPECT_EQ(Escaped("a\nb\tc\r"), "a\\nb\\tc\\r");
  EXPECT_EQ(Escaped("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(Escaped(std::string_view("\0\x7f", 2)), "\\x00\\x7f");
  EXPECT_EQ(Escaped("a\\b"), "a\\\\b");
}

TEST(Quote, EscapesCharactersThatReorderOrHideText) {
  EXPECT_EQ(Escaped("\u202Eabc"), "\\u{202e}abc");
  EXPECT_EQ(Escaped("\u009B"), "\\u{009b}");
  EXPECT_EQ(Escaped("\u061Cabc"), "\\u{061c}abc");
  EXPECT_EQ(Escaped("\uFEFF"), "\\u{feff}");
}

TEST(Quote, EscapesEveryByteThatIsNotUtf8) {
  EXPECT_EQ(Escaped("\xff"), "\\xff");
  EXPECT_EQ(Escaped("\xc3("), "\\xc3(");
  EXPECT_EQ(Escaped("\xe2\x82"), "\\xe2\\x82");                    // cut short
  EXPECT_EQ(Escaped("\xc0\xaf"), "\\xc0\\xaf");                    // overlong '/'
  EXPECT_EQ(Escaped("\xed\xa0\x80"), "\\xed\\xa0\\x80");           // a surrogate
  EXPECT_EQ(Escaped("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // above U+10FFFF
}

TEST(Quote, CutsLongTextAtTheLimitInCharacters) {
  EXPECT_EQ(Escaped(std::string(80, 'a')), std::string(80, 'a'));
  EXPECT_EQ(Escaped(std::string(81, 'a')), std::string(80, 'a') + "...");
  EXPECT_EQ(Escaped("äöüß", 3), "äöü...");
}

TEST(Quote, CountsCharactersNotBytes) {
  EXPECT_EQ(CharacterCount(""), 0u);
  EXPECT_EQ(CharacterCount("aä数🙂"), 4u);
  EXPECT_EQ(CharacterCount("\xff\xff"), 2u);
}

TEST(Quote, CutsBetweenCharactersNotBytes) {
  EXPECT_EQ(FirstCharacters("aä数🙂", 3), "aä数");
  EXPECT_EQ(FirstCharacters("aä", 5), "aä");
  EXPECT_EQ(LastCharacters("aä数🙂", 2), "数🙂");
  EXPECT_EQ(LastCharacters("aä", 5), "aä");
}

}  // namespace
}  // namespace schedbench::config::quote_test
