#include "config/json_document.hpp"

#include "tests/config/example_config.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>

namespace schedbench::config::json_document_test {
namespace {

// Parses a text that must be right.
JsonDocument Read(std::string text) {
  Problems problems;
  std::optional<JsonDocument> document = JsonDocument::Parse(std::move(text), "f.json", problems);
  EXPECT_EQ(TextOf(problems), "");
  return std::move(document).value();
}

// The message about a text that is not JSON.
std::string Refusal(std::string text) {
  Problems problems;
  EXPECT_FALSE(JsonDocument::Parse(std::move(text), "f.json", problems).has_value());
  return TextOf(problems);
}

// A file that is gone at the end of the test.
class TemporaryFile {
 public:
  explicit TemporaryFile(std::string_view name)
      : path_(std::filesystem::path(testing::TempDir()) / name) {
  }
  ~TemporaryFile() {
    std::filesystem::remove(path_);
  }
  const std::filesystem::path& Path() const {
    return path_;
  }

 private:
  std::filesystem::path path_;
};

TEST(JsonDocument, KeepsValuesOfEveryKindAsTheyWereWritten) {
  const JsonDocument document =
      Read(R"({"a": -1, "b": 3.0, "c": "x\ny", "d": [true, null, 1e3], "e": {}})");
  const JsonNode& root = document.Root();
  ASSERT_EQ(root.kind, JsonNode::Kind::kObject);
  ASSERT_EQ(root.members.size(), 5u);
  EXPECT_EQ(root.Find("a")->text, "-1");
  EXPECT_EQ(root.Find("b")->text, "3.0");
  EXPECT_EQ(root.Find("c")->text, "x\ny");
  EXPECT_EQ(root.Find("d")->elements.at(0).text, "true");
  EXPECT_EQ(root.Find("d")->elements.at(1).kind, JsonNode::Kind::kNull);
  EXPECT_EQ(root.Find("d")->elements.at(2).text, "1e3");
  EXPECT_EQ(root.Find("e")->kind, JsonNode::Kind::kObject);
  EXPECT_EQ(root.Find("f"), nullptr);
}

TEST(JsonDocument, KeepsNumbersThatNoTypeOfTheMachineHolds) {
  const JsonDocument document = Read("[18446744073709551616, -0, 1e300, 4294967297]");
  EXPECT_EQ(document.Root().elements.at(0).text, "18446744073709551616");
  EXPECT_EQ(document.Root().elements.at(1).text, "-0");
  EXPECT_EQ(document.Root().elements.at(2).text, "1e300");
  EXPECT_EQ(document.Root().elements.at(3).text, "4294967297");
}

TEST(JsonDocument, KnowsThePlaceOfEveryKeyAndValue) {
  const JsonDocument document =
      Read("{\r\n\t\"a\" : \"\\\\\\\"},\" ,\n \"b\":[ 10,\n{\"c\":true}]\n}");
  const JsonNode& root = document.Root();
  EXPECT_EQ(document.Where(root.offset), "f.json:1:1");
  EXPECT_EQ(document.Where(root.members.at(0).key_offset), "f.json:2:2");
  EXPECT_EQ(document.Where(root.members.at(0).value.offset), "f.json:2:8");
  EXPECT_EQ(document.Where(root.members.at(1).key_offset), "f.json:3:2");
  const JsonNode& array = root.members.at(1).value;
  EXPECT_EQ(document.Where(array.offset), "f.json:3:6");
  EXPECT_EQ(document.Where(array.elements.at(0).offset), "f.json:3:8");
  EXPECT_EQ(document.Where(array.elements.at(1).offset), "f.json:4:1");
  EXPECT_EQ(document.Where(array.elements.at(1).members.at(0).key_offset), "f.json:4:2");
  EXPECT_EQ(document.Where(array.elements.at(1).members.at(0).value.offset), "f.json:4:6");
}

TEST(JsonDocument, CountsColumnsInCharacters) {
  const JsonDocument document = Read("{\"größe 数\": 1}");
  EXPECT_EQ(document.Where(document.Root().members.at(0).value.offset), "f.json:1:13");
}

TEST(JsonDocument, NamesNodesByTheirPointer) {
  const JsonDocument document = Read(R"({"a/b": {"~": [0, {"": 1}]}, "n\n": 2})");
  const JsonNode& root = document.Root();
  EXPECT_EQ(document.PointerTo(root), "");
  const JsonNode& array = root.members.at(0).value.members.at(0).value;
  EXPECT_EQ(document.PointerTo(array), "/a~1b/~0");
  EXPECT_EQ(document.PointerTo(array.elements.at(1).members.at(0).value), "/a~1b/~0/1/");
  EXPECT_EQ(document.PointerTo(root.members.at(1).value), "/n\\n");
}

TEST(JsonDocument, SkipsAByteOrderMark) {
  const JsonDocument document = Read("\xEF\xBB\xBF{\"a\": 1}");
  EXPECT_EQ(document.Where(document.Root().offset), "f.json:1:1");
  EXPECT_EQ(document.Where(document.Root().Find("a")->offset), "f.json:1:7");
}

TEST(JsonDocument, TakesScalarsForADocument) {
  EXPECT_EQ(Read("12").Root().text, "12");
  EXPECT_EQ(Read(" \"s\" ").Root().text, "s");
}

TEST(JsonDocument, RefusesADuplicateKeyAndNamesBothLocations) {
  Problems problems;
  const auto document = JsonDocument::Parse(
      "{\"a\": 1,\n \"b\": [{\"c\": 1, \"c\": 2}],\n  \"a\": 3}", "f.json", problems);
  EXPECT_TRUE(document.has_value());
  EXPECT_EQ(TextOf(problems),
            "f.json:2:17 /b/0/c   duplicate key; the first one is at 2:9\n"
            "f.json:3:3  /a       duplicate key; the first one is at 1:2");
}

TEST(JsonDocument, SeesADuplicateThatIsSpelledOtherwise) {
  Problems problems;
  JsonDocument::Parse(R"({"a": 1, "\u0061": 2})", "f.json", problems);
  EXPECT_EQ(TextOf(problems), "f.json:1:10 /a   duplicate key; the first one is at 1:2");
}

TEST(JsonDocument, AllowsTheSameKeyInDifferentObjects) {
  Read(R"({"a": {"a": 1}, "b": {"a": 2}})");
}

TEST(JsonDocument, RefusesMoreThan64NestedLevels) {
  Read(std::string(64, '[') + std::string(64, ']'));
  EXPECT_EQ(Refusal(std::string(65, '[') + std::string(65, ']')),
            "f.json:1:65   more than 64 nested levels");
  EXPECT_EQ(Refusal(std::string(1'000'000, '[')), "f.json:1:65   more than 64 nested levels");
}

TEST(JsonDocument, RefusesAnEmptyFile) {
  EXPECT_EQ(Refusal(""), "f.json:1:1   the file is empty; the shortest JSON is {}");
  EXPECT_EQ(Refusal(" \n\t"), "f.json:1:1   the file is empty; the shortest JSON is {}");
  EXPECT_EQ(Refusal("\xEF\xBB\xBF"), "f.json:1:1   the file is empty; the shortest JSON is {}");
}

TEST(JsonDocument, RefusesNumbersThatJsonDoesNotHave) {
  EXPECT_EQ(Refusal("{\"a\":\n NaN}"), "f.json:2:2   NaN is not a JSON number");
  EXPECT_EQ(Refusal("[-Infinity]"), "f.json:1:2   -Infinity is not a JSON number");
  EXPECT_EQ(Refusal("{\"a\": 1e999}"), "f.json:1:7   1e999 is too large for a number");
  EXPECT_EQ(Refusal("[1, 010]"),
            "f.json:1:5   010 is not a JSON number; write it as a plain decimal number");
  EXPECT_EQ(Refusal("{\"a\": 0x10}"),
            "f.json:1:7   0x10 is not a JSON number; write it as a plain decimal number");
  EXPECT_EQ(Refusal("[+5]"),
            "f.json:1:2   +5 is not a JSON number; write it as a plain decimal number");
  EXPECT_EQ(Refusal("[.5]"),
            "f.json:1:2   .5 is not a JSON number; write it as a plain decimal number");
  EXPECT_EQ(Refusal("[5.]"),
            "f.json:1:2   5. is not a JSON number; write it as a plain decimal number");
  EXPECT_EQ(Refusal("[-]"),
            "f.json:1:2   - is not a JSON number; write it as a plain decimal number");
}

TEST(JsonDocument, RefusesCommentsAndSaysWhereNotesGo) {
  const std::string message = "JSON has no comments; for a note, use a key that begins with \"x-\"";
  EXPECT_EQ(Refusal("{\n  // note\n}"), "f.json:2:3   " + message);
  EXPECT_EQ(Refusal("{\"a\": 1, /* note */ \"b\": 2}"), "f.json:1:10   " + message);
  EXPECT_EQ(Refusal("# note\n{}"), "f.json:1:1   " + message);
}

TEST(JsonDocument, RefusesATrailingCommaAndPointsAtIt) {
  EXPECT_EQ(Refusal("{\"a\": 1,\n}"),
            "f.json:1:8   a comma before the closing bracket; JSON has no trailing commas");
  EXPECT_EQ(Refusal("[1, 2, ]"),
            "f.json:1:6   a comma before the closing bracket; JSON has no trailing commas");
}

TEST(JsonDocument, RefusesBadUtf8AtTheByte) {
  EXPECT_EQ(Refusal("{\"a\": \"x\xff\"}"),
            "f.json:1:9   the text is not UTF-8; save the file as UTF-8");
  EXPECT_EQ(Refusal("{\"\xc0\xaf\": 1}"),
            "f.json:1:3   the text is not UTF-8; save the file as UTF-8");
  EXPECT_EQ(Refusal(std::string("\xff\xfe{\0}\0", 6)),
            "f.json:1:1   the text is not UTF-8; save the file as UTF-8");
}

TEST(JsonDocument, RefusesANulByteAndWhatFollowsIt) {
  EXPECT_EQ(Refusal(std::string("{}\0{", 4)),
            "f.json:1:3   the file has a NUL byte; it is not a text file");
}

TEST(JsonDocument, RefusesATextThatEndsTooEarly) {
  const std::string message = "the file ends inside an object, an array or a value";
  EXPECT_EQ(Refusal("{\"a\": [1, 2"), "f.json:1:12   " + message);
  EXPECT_EQ(Refusal("{\"a\":\n"), "f.json:2:1   " + message);
  EXPECT_EQ(Refusal("{\"a\": \"x"), "f.json:1:7   the string has no closing quote");
}

TEST(JsonDocument, RefusesOtherSlips) {
  EXPECT_EQ(Refusal("{'a': 1}"), "f.json:1:2   JSON strings have double quotes");
  EXPECT_EQ(Refusal("{a: 1}"), "f.json:1:2   a is not a JSON value");
  EXPECT_EQ(Refusal("{\"a\": True}"), "f.json:1:7   True is not a JSON value");
  EXPECT_EQ(Refusal("{\"a\": trues}"), "f.json:1:7   trues is not a JSON value");
  EXPECT_EQ(Refusal("[nulll]"), "f.json:1:2   nulll is not a JSON value");
  EXPECT_EQ(Refusal("[false true]"), "f.json:1:8   unexpected true; expected ',' or ']'");
  EXPECT_EQ(Refusal("{\"a\": \x1b[31m}"), "f.json:1:7   \\x1b is not a JSON value");
  EXPECT_EQ(Refusal("{\"a\" 1}"), "f.json:1:6   unexpected 1; expected ':'");
  EXPECT_EQ(Refusal("{\"a\": 1\n \"b\": 2}"),
            "f.json:2:2   unexpected string; expected ',' or '}'");
  EXPECT_EQ(Refusal("[1,, 2]"), "f.json:1:4   unexpected ','; expected a value");
  EXPECT_EQ(Refusal("{\"a\":, 1}"), "f.json:1:6   unexpected ','; expected a value");
  EXPECT_EQ(Refusal("{}}"), "f.json:1:3   unexpected '}'; expected the end of the file");
  EXPECT_EQ(Refusal("{\"a\": \"x\ny\"}"),
            "f.json:1:9   a string cannot contain a control character; write it as \\u000A");
  EXPECT_EQ(Refusal("[1 \"b\"]"), "f.json:1:4   unexpected string; expected ',' or ']'");
  EXPECT_EQ(Refusal("{1: 2}"), "f.json:1:2   unexpected 1; expected a key or '}'");
  EXPECT_EQ(Refusal("{\"a\": 1, 2}"), "f.json:1:10   unexpected 2; expected a key");
  EXPECT_EQ(Refusal("[:"), "f.json:1:2   unexpected ':'; expected a value or ']'");
  EXPECT_EQ(Refusal(", 1"), "f.json:1:1   unexpected ','; expected a value");
  EXPECT_EQ(Refusal("[\"\\q\"]"),
            R"(f.json:1:4   unknown escape; JSON has \" \\ \/ \b \f \n \r \t and \uNNNN)");
  for (const std::string escape : {R"(["\u12"])", R"(["\ud800x"])"}) {
    EXPECT_NE(Refusal(escape).find(R"(\u needs four hex digits)"), std::string::npos) << escape;
  }
}

TEST(JsonDocument, NamesAFileThatCannotBeRead) {
  Problems problems;
  EXPECT_FALSE(JsonDocument::ReadFile("/nowhere/a.json", problems).has_value());
  EXPECT_EQ(TextOf(problems), "/nowhere/a.json   cannot be read: No such file or directory");
}

TEST(JsonDocument, RefusesADirectory) {
  const std::string path = testing::TempDir();
  Problems problems;
  EXPECT_FALSE(JsonDocument::ReadFile(path, problems).has_value());
  EXPECT_EQ(TextOf(problems), path + "   is a directory");
}

TEST(JsonDocument, RefusesAFileWithoutEnd) {
  Problems problems;
  EXPECT_FALSE(JsonDocument::ReadFile("/dev/zero", problems).has_value());
  EXPECT_EQ(TextOf(problems), "/dev/zero   is larger than 16 MiB");
}

TEST(JsonDocument, ReadsAFileOfAnotherKindUpToItsOwnSize) {
  const TemporaryFile file("schedbench_large_document_test.json");
  std::ofstream(file.Path()) << '"' << std::string((std::size_t{3} << 20U) - 2, 'x') << '"';
  const std::string path = file.Path().string();
  Problems problems;
  EXPECT_TRUE(JsonDocument::ReadFile(path, problems, {.name = "result", .largest = 3U << 20U}));
  EXPECT_FALSE(JsonDocument::ReadFile(path, problems, {.name = "result", .largest = 2U << 20U}));
  EXPECT_EQ(TextOf(problems), path + "   is larger than 2 MiB");
}

TEST(JsonDocument, ReadsAFileAndNamesItInItsLocations) {
  const TemporaryFile file("schedbench_json_document_test.json");
  std::ofstream(file.Path()) << "{\"a\":\n 5}";
  Problems problems;
  const auto document = JsonDocument::ReadFile(file.Path().string(), problems);
  ASSERT_TRUE(document.has_value()) << TextOf(problems);
  EXPECT_EQ(document->Where(document->Root().Find("a")->offset), file.Path().string() + ":2:2");
}

}  // namespace
}  // namespace schedbench::config::json_document_test
