#include "harness/tune/candidates.hpp"

#include "config/schema_of.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness::candidates_test {

enum class Colour { kRed, kGreen, kBlue };

constexpr std::array<std::string_view, 3> NamesOf(Colour) {
  return {"red", "green", "blue"};
}

namespace {

struct Everything {
  config::Field<"count", std::uint32_t{8}, config::Range{1U, 20U}, ""> count;
  config::Field<"limit", std::uint32_t{0}, config::Range{0U, 40U}, ""> limit;
  config::Field<"power", std::uint32_t{16}, config::PowerOfTwo{8U, 1024U}, ""> power;
  config::Field<"shift", std::int64_t{-4}, config::Range{-9, 9}, ""> shift;
  config::Field<"share", 0.5, config::Range{0.0, 1.0}, ""> share;
  config::Field<"on", true, config::AnyOf{}, ""> on;
  config::Field<"colour", Colour::kGreen, config::AnyOf{}, ""> colour;
};

std::string Around(std::string_view path, std::optional<std::uint64_t> most = std::nullopt) {
  const config::FieldInfo& field = *config::SchemaOf<Everything>().FindLeaf(path)->field;
  std::string text;
  for (const config::Value& value : ValuesAround(field, field.default_value, most)) {
    EXPECT_TRUE(field.Admits(value));
    text += config::ToText(value) + " ";
  }
  return text;
}

TEST(Candidates, OfAFieldAreInsideItsLimitsAroundItsValue) {
  EXPECT_EQ(Around("count"), "2 4 8 16 ");
  EXPECT_EQ(Around("count", 9), "2 4 8 ");
  EXPECT_EQ(Around("limit"), "0 1 4 16 ");
  EXPECT_EQ(Around("power"), "8 16 32 64 ");
  EXPECT_EQ(Around("shift"), "-8 -4 -2 -1 ");
  EXPECT_EQ(Around("share"), "0 0.125 0.25 0.5 1 ");
  EXPECT_EQ(Around("on"), "false true ");
  EXPECT_EQ(Around("colour"), "red green blue ");
}

std::vector<TuneField> Fields(const std::vector<std::size_t>& levels) {
  std::vector<TuneField> fields;
  for (const std::size_t count : levels) {
    fields.push_back(
        {.path = "f", .values = std::vector<std::string>(count, "v"), .default_value = count - 1});
  }
  return fields;
}

std::optional<TunePlace> AsItIs(const TunePlace& place) {
  return place;
}

TEST(Candidates, AreAllCombinationsIfTheyAreFew) {
  const ChosenPlaces chosen = ChoosePlaces(Fields({2, 3}), 6, 1, AsItIs);
  EXPECT_TRUE(chosen.is_full_grid);
  EXPECT_EQ(chosen.places.size(), 6U);
  EXPECT_EQ(chosen.places.front(), (TunePlace{1, 2})) << "the default";
}

TEST(Candidates, OfASampleHaveEachValueAboutEquallyOften) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const ChosenPlaces chosen = ChoosePlaces(Fields({4, 4, 4, 4, 4}), 41, seed, AsItIs);
    EXPECT_FALSE(chosen.is_full_grid);
    ASSERT_EQ(chosen.places.size(), 41U);
    EXPECT_EQ(chosen.places.front(), (TunePlace{3, 3, 3, 3, 3}));
    for (std::size_t field = 0; field < 5; ++field) {
      std::map<std::size_t, int> count;
      for (const TunePlace& place : chosen.places) {
        ++count[place[field]];
      }
      for (std::size_t value = 0; value < 4; ++value) {
        EXPECT_NEAR(count[value], 10, 3);
      }
    }
    EXPECT_EQ(chosen.places, ChoosePlaces(Fields({4, 4, 4, 4, 4}), 41, seed, AsItIs).places);
  }
}

TEST(Candidates, LeaveOutWhatIsForbiddenAndWhatHasNoEffect) {
  // The second field matters only if the first has its default, and value 0 of the first is
  // forbidden.
  const auto normalised = [](const TunePlace& place) -> std::optional<TunePlace> {
    if (place[0] == 0) {
      return std::nullopt;
    }
    return place[0] == 2 ? place : TunePlace{place[0], 2};
  };
  const ChosenPlaces chosen = ChoosePlaces(Fields({3, 3}), 9, 1, normalised);
  EXPECT_FALSE(chosen.is_full_grid);
  EXPECT_EQ(chosen.impossible, 3U);
  std::vector<TunePlace> places = chosen.places;
  std::ranges::sort(places);
  EXPECT_EQ(places, (std::vector<TunePlace>{{1, 2}, {2, 0}, {2, 1}, {2, 2}}));
}

}  // namespace

}  // namespace schedbench::harness::candidates_test
