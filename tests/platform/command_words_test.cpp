#include "platform/process/command_words.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::platform::command_words_test {
namespace {

using Words = std::vector<std::string>;

TEST(CommandWords, AreSplitAndUnquotedAsByAShell) {
  EXPECT_EQ(CommandWords("agent  --a b"), (Words{"agent", "--a", "b"}));
  EXPECT_EQ(CommandWords(R"('my agent' "a  b" c\ d '')"), (Words{"my agent", "a  b", "c d", ""}));
  EXPECT_EQ(CommandWords(""), Words{});
  ::setenv("SCHEDBENCH_TEST_WORD", "value", 1);
  EXPECT_EQ(CommandWords("$SCHEDBENCH_TEST_WORD '$SCHEDBENCH_TEST_WORD'"),
            (Words{"value", "$SCHEDBENCH_TEST_WORD"}));
}

// What CommandWords() complains of.
std::string Complaint(const std::string& command) {
  try {
    CommandWords(command);
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(CommandWords, AreNoneOfWhatOnlyAShellCouldRun) {
  for (const char* const command : {"a | b", "a; b", "a > b", "a & b", "$(a)", "`a`", "a\nb"}) {
    EXPECT_EQ(Complaint(command), "the command needs a shell    sh -c '...'") << command;
  }
  EXPECT_EQ(Complaint("a 'b"), "the command cannot be parsed; is a quote not closed?");
  EXPECT_EQ(Complaint("$SCHEDBENCH_TEST_UNSET/a"), "the command has a variable that is not set");
}

}  // namespace
}  // namespace schedbench::platform::command_words_test
