#include "record/record.hpp"

#include "record/message.hpp"
#include "tests/record/schema.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace schedbench::record_test {

using record::kInline;
using record::kNull;
using record::kOmitted;
using record::kOptional;

enum class Colour { kRed, kGreen };
constexpr std::array<std::string_view, 2> NamesOf(Colour) {
  return {"red", "green"};
}

struct Point {
  double x = 0;
  std::uint8_t weight = 1;
  bool operator==(const Point&) const = default;
};

const record::Record& RecordOf(const Point* /*type*/) {
  static const record::Of<Point> kRecord(
      "Point", {{"x", &Point::x, "From the left", {.from_0 = true}},
                {"weight", &Point::weight, "", {.presence = kOptional, .most = 9}}});
  return kRecord;
}

struct Extra {
  bool flag = false;
  bool operator==(const Extra&) const = default;
};

const record::Record& RecordOf(const Extra* /*type*/) {
  static const record::Of<Extra> kRecord("Extra", {{"flag", &Extra::flag, "", {kOptional}}});
  return kRecord;
}

constexpr std::array<std::string_view, 2> kSides{"left", "right"};

// Has each kind of type.
struct All {
  std::string text = "t";
  std::string side = "left";
  std::string note = "";
  std::string config = R"({"a":{"b":1}})";
  std::chrono::nanoseconds time{5};
  std::int64_t whole = 7;
  std::uint64_t count = std::numeric_limits<std::uint64_t>::max();
  Colour colour = Colour::kGreen;
  std::optional<double> maybe = std::nullopt;
  std::vector<std::string> names = {"n"};
  std::vector<std::pair<std::string, std::optional<double>>> figures = {{"f", 0.5}, {"g", {}}};
  std::map<std::string, Point> points = {{"p", {.x = 2}}};
  std::array<double, 2> range = {1, 2};
  std::vector<std::vector<Point>> grid = {{{.x = 3}}, {}};
  Extra extra = {.flag = true};
  bool operator==(const All&) const = default;
};

const record::Record& RecordOf(const All* /*type*/) {
  static const record::Of<All> kRecord("All", {{"text", &All::text, "A text"},
                                               {"side", &All::side, "", {.one_of = kSides}},
                                               {"note", &All::note, "", {kNull}},
                                               {"config", &All::config, record::kJsonText, ""},
                                               {"time_ns", &All::time, "", {kOptional}},
                                               {"whole", &All::whole, ""},
                                               {"count", &All::count, ""},
                                               {"colour", &All::colour, ""},
                                               {"maybe", &All::maybe, "", {kOmitted}},
                                               {"names", &All::names, "", {.is_name = true}},
                                               {"figures", &All::figures, "", {.from_0 = true}},
                                               {"points", &All::points, ""},
                                               {"range", &All::range, ""},
                                               {"grid", &All::grid, ""},
                                               {kInline, &All::extra, ""}});
  return kRecord;
}

record::Json Written(const All& all = {}) {
  return record::ToJson(all);
}

std::string ComplaintOf(const record::Json& json, bool refuses_unknown = true) {
  try {
    record::FromJson<All>(json, {.refuses_unknown = refuses_unknown});
  } catch (const record::ReadError& error) {
    return error.what();
  }
  return "";
}

// What the reader says if one value of a good object is another one.
std::string ComplaintWith(const std::string& pointer, const record::Json& value) {
  record::Json json = Written();
  json[record::Json::json_pointer(pointer)] = value;
  return ComplaintOf(json);
}

TEST(Record, IsWrittenInTheOrderOfItsKeys) {
  EXPECT_EQ(Written().dump(),
            R"({"text":"t","side":"left","note":null,"config":{"a":{"b":1}},"time_ns":5,)"
            R"("whole":7,"count":18446744073709551615,"colour":"green","names":["n"],)"
            R"("figures":{"f":0.5,"g":null},"points":{"p":{"x":2.0,"weight":1}},)"
            R"("range":[1.0,2.0],"grid":[[{"x":3.0,"weight":1}],[]],"flag":true})");
  EXPECT_EQ(record::ToJson(Point{.x = INFINITY})["x"], nullptr);
}

TEST(Record, IsReadAsItWasWritten) {
  const All changed{.note = "n", .colour = Colour::kRed, .maybe = 1.5, .names = {"a", "b"}};
  EXPECT_EQ(record::FromJson<All>(Written(changed)), changed);
  EXPECT_EQ(record::FromJson<All>(Written()), All());
}

TEST(Record, KeepsTheDefaultOfAnOptionalKey) {
  record::Json json = Written();
  json.erase("time_ns");
  json.erase("flag");
  const auto read = record::FromJson<All>(json);
  EXPECT_EQ(read.time.count(), 5);
  EXPECT_TRUE(read.extra.flag);
}

TEST(Record, IsRefusedWithAPointerAndWhatIsAllowed) {
  EXPECT_EQ(ComplaintOf(1), "1 is not an object");
  record::Json json = Written();
  json.erase("note");
  EXPECT_EQ(ComplaintOf(json), "/note: is missing");
  EXPECT_EQ(ComplaintWith("/text", 1), "/text: 1 is not a string");
  EXPECT_EQ(ComplaintWith("/text", nullptr), "/text: null is not a string");
  EXPECT_EQ(ComplaintWith("/side", "up"), "/side: \"up\" is not one of left, right");
  EXPECT_EQ(ComplaintWith("/config", record::Json::array()), "/config: an array is not an object");
  EXPECT_EQ(ComplaintWith("/time_ns", -1),
            "/time_ns: -1 is not a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(ComplaintWith("/whole", 1.0),
            "/whole: 1.0 is not a whole number from 0 to 9223372036854775807");
  EXPECT_EQ(ComplaintWith("/colour", "blue"), "/colour: \"blue\" is not one of red, green");
  EXPECT_EQ(ComplaintWith("/names/0", ""),
            "/names/0: \"\" is not a text without control characters");
  EXPECT_EQ(ComplaintWith("/names", record::Json::array()), "/names: is empty");
  EXPECT_EQ(ComplaintWith("/figures/g", -1), "/figures/g: -1 is not a number from 0");
  EXPECT_EQ(ComplaintWith("/points/p/weight", 10),
            "/points/p/weight: 10 is not a whole number from 0 to 9");
  EXPECT_EQ(ComplaintWith("/range/2", 1), "/range: has 3 elements, not 2");
  EXPECT_EQ(ComplaintWith("/grid/0/0/x", "3"), "/grid/0/0/x: \"3\" is not a number from 0");
  EXPECT_EQ(ComplaintWith("/flag", 1), "/flag: 1 is not true or false");
}

TEST(Record, HasNoOtherKeysForAStrictReader) {
  record::Json json = Written();
  json["points"]["p"]["wieght"] = 1;
  EXPECT_EQ(ComplaintOf(json), "/points/p/wieght: unknown key; did you mean 'weight'?");
  EXPECT_EQ(ComplaintOf(json, false), "");
}

struct Shown {
  Point point;
};

const record::Record& RecordOf(const Shown* /*type*/) {
  static const record::Of<Shown> kRecord(
      "Shown", {{"twice", [](const Shown& shown) { return 2 * shown.point.x; }, "Two times x"},
                {kInline,
                 [](const Shown& shown) {
                   return std::map<std::string, int>{{"weight", shown.point.weight}};
                 },
                 "By name"},
                {"point", &Shown::point, "", {kOmitted}}});
  return kRecord;
}

TEST(Record, HasKeysOfFunctionsWhichAreOnlyWritten) {
  EXPECT_EQ(record::ToJson(Shown{.point = {.x = 2, .weight = 3}}).dump(),
            R"({"twice":4.0,"weight":3,"point":{"x":2.0,"weight":3}})");
}

TEST(Schema, ListsEachRecordOnce) {
  const auto schema = record::Json::parse(record::SchemaText(RecordOf((All*)nullptr), "T", "D"));
  EXPECT_EQ(schema["title"], "T");
  EXPECT_EQ(schema["$defs"].size(), 1U);
  EXPECT_EQ(schema["$defs"]["Point"].dump(),
            R"({"type":"object","properties":{"x":{"description":"From the left",)"
            R"("type":["number","null"],"minimum":0},)"
            R"("weight":{"type":"integer","minimum":0,"maximum":9}},"required":["x"],)"
            R"("additionalProperties":false})");
  EXPECT_EQ(schema["properties"]["grid"]["items"]["items"]["$ref"], "#/$defs/Point");
  EXPECT_EQ(schema["properties"]["note"].dump(), R"({"type":["string","null"]})");
  EXPECT_EQ(schema["properties"]["colour"].dump(), R"({"enum":["red","green"]})");
  EXPECT_EQ(schema["properties"]["flag"].dump(), R"({"type":"boolean"})");
}

TEST(KeyTable, HasTheTypeAndTheMeaningOfEachKey) {
  EXPECT_EQ(record::KeyTable(RecordOf((Point*)nullptr)),
            "| key | type | required | meaning |\n|---|---|---|---|\n"
            "| `x` | number | yes | From the left |\n| `weight` | whole number | no |  |\n");
}

using Message = std::variant<Point, Extra>;
constexpr std::array<std::string_view, 2> kKinds{"point", "extra"};
constexpr record::Protocol kProtocol{
    .kind_key = "is", .kinds = kKinds, .refuses_unknown = true, .deepest_nesting = 3};

std::string LineComplaint(const std::string& line) {
  try {
    record::FromLine<Message>(kProtocol, line);
  } catch (const record::ReadError& error) {
    return error.what();
  }
  return "";
}

TEST(Message, IsReadAsItWasWritten) {
  const Message message = Extra{.flag = true};
  EXPECT_EQ(record::ToLine(kProtocol, message), R"({"is":"extra","flag":true})");
  EXPECT_EQ(record::FromLine<Message>(kProtocol, R"({"is":"extra","flag":true})"), message);
}

TEST(Message, IsRefusedWithItsKind) {
  EXPECT_EQ(LineComplaint("[1]"), "not a JSON object: '[1]'");
  EXPECT_EQ(LineComplaint("{"), "not a JSON object: '{'");
  EXPECT_EQ(LineComplaint("{}"), "is: \"is\" is missing");
  EXPECT_EQ(LineComplaint(R"({"is":1})"), "is: 1 is not a string");
  EXPECT_EQ(LineComplaint(R"({"is":"pint"})"), "unknown is 'pint'; did you mean 'point'?");
  EXPECT_EQ(LineComplaint(R"({"is":"point"})"), "is point: /x: is missing");
  EXPECT_EQ(LineComplaint(R"({"is":"point","x":1,"x":2})"),
            "is point: the key 'x' occurs twice in one object");
  EXPECT_EQ(LineComplaint(R"({"is":"extra","flg":true})"),
            "is extra: /flg: unknown key; did you mean 'flag'?");
  EXPECT_EQ(LineComplaint(R"({"is":[[[1]]]})"), "more than 3 nested levels: '{\"is\":[[[1]]]}'");
}

}  // namespace schedbench::record_test
