#include "harness/tune/candidates.hpp"

#include "base/random.hpp"
#include "base/random_choice.hpp"
#include "base/vector_of.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <utility>

namespace schedbench::harness {

namespace {

using config::Kind;
using config::Value;

constexpr std::array kFactors{0.25, 0.5, 1.0, 2.0, 4.0};
// These numbers replace products with 0.
constexpr std::array kFromZero{1.0, 4.0, 16.0, 64.0};
// The most Latin hypercubes that are drawn to replace forbidden or equal combinations (arbitrary).
constexpr std::uint64_t kMostDraws = 20;

// Returns the numbers to try within the limits.
std::vector<double> NumbersAround(double current, double min, double max) {
  std::vector<double> numbers;
  if (current == 0) {
    numbers.push_back(0);
    for (const double number : kFromZero) {
      // Shares get tenths instead of multiples.
      numbers.push_back(max <= 1 ? number / 64 * max : number);
    }
  }
  for (const double factor : kFactors) {
    numbers.push_back(current * factor);
  }
  if (min == 0) {
    numbers.push_back(0);
  }
  std::erase_if(numbers, [&](double number) { return number < min || number > max; });
  return numbers;
}

template <typename Number>
std::vector<Value> Whole(const config::FieldInfo& field, const Value& current, Number max) {
  const auto now = std::get<Number>(current);
  std::set<Number> numbers{now};
  for (const double number :
       NumbersAround(static_cast<double>(now), static_cast<double>(std::get<Number>(field.min)),
                     static_cast<double>(max))) {
    const auto rounded = static_cast<Number>(std::llround(number));
    if (field.Admits(Value(rounded))) {
      numbers.insert(rounded);
    }
  }
  return {numbers.begin(), numbers.end()};
}

// In each field the values share the candidates evenly, in a random order.
std::vector<TunePlace> Hypercube(const std::vector<TuneField>& fields, std::size_t count,
                                 std::uint64_t seed) {
  std::vector<TunePlace> places(count, TunePlace(fields.size(), 0));
  for (std::size_t field = 0; field < fields.size(); ++field) {
    RandomChoice random(DeriveSeed(seed, field));
    std::vector<std::size_t> strata = Indices(count);
    for (std::size_t i = count; i > 1; --i) {
      std::swap(strata[i - 1], strata[random.Below(static_cast<std::uint32_t>(i))]);
    }
    // If values do not divide the candidates evenly, chance decides which come once more.
    const std::size_t levels = fields[field].values.size();
    const std::size_t shift = random.Below(static_cast<std::uint32_t>(levels));
    for (std::size_t i = 0; i < count; ++i) {
      places[i][field] = (strata[i] + shift) % levels;
    }
  }
  return places;
}

std::vector<TunePlace> Grid(const std::vector<TuneField>& fields) {
  std::vector<TunePlace> places;
  TunePlace place(fields.size(), 0);
  for (;;) {
    places.push_back(place);
    std::size_t field = place.size();
    while (field > 0 && ++place[field - 1] == fields[field - 1].values.size()) {
      place[--field] = 0;
    }
    if (field == 0) {
      return places;
    }
  }
}

// Returns the number of combinations; `most + 1` for more than `most`.
std::size_t SizeOfGrid(const std::vector<TuneField>& fields, std::size_t most) {
  std::size_t size = 1;
  for (const TuneField& field : fields) {
    size *= field.values.size();
    if (size > most) {
      return most + 1;
    }
  }
  return size;
}

}  // namespace

bool IsOrdered(const config::FieldInfo& field) {
  return field.kind == Kind::kUnsigned || field.kind == Kind::kSigned || field.kind == Kind::kReal;
}

std::vector<Value> ValuesAround(const config::FieldInfo& field, const Value& current,
                                std::optional<std::uint64_t> most) {
  switch (field.kind) {
    case Kind::kBool:
      return {Value(false), Value(true)};
    case Kind::kEnum: {
      return VectorOf<Value>(field.choices, [](auto choice) { return std::string(choice); });
    }
    case Kind::kUnsigned: {
      const auto limit = std::get<std::uint64_t>(field.max);
      return Whole<std::uint64_t>(field, current, std::min(limit, most.value_or(limit)));
    }
    case Kind::kSigned:
      return Whole<std::int64_t>(field, current, std::get<std::int64_t>(field.max));
    default: {
      const auto now = std::get<double>(current);
      std::set<double> numbers{now};
      for (const double number :
           NumbersAround(now, std::get<double>(field.min), std::get<double>(field.max))) {
        numbers.insert(number);
      }
      return {numbers.begin(), numbers.end()};
    }
  }
}

ChosenPlaces ChoosePlaces(
    const std::vector<TuneField>& fields, std::size_t most, std::uint64_t seed,
    const std::function<std::optional<TunePlace>(const TunePlace&)>& normalised) {
  ChosenPlaces chosen;
  TunePlace of_default = VectorOf(fields, &TuneField::default_value);
  std::set<TunePlace> known{of_default};
  chosen.places.push_back(std::move(of_default));
  std::size_t equal = 0;
  const auto add = [&](const TunePlace& place) {
    const auto effective = normalised(place);
    if (!effective) {
      ++chosen.impossible;
    } else if (known.insert(*effective).second) {
      chosen.places.push_back(*effective);
    } else {
      ++equal;
    }
  };
  const std::size_t size = SizeOfGrid(fields, most);
  if (size <= most) {
    for (const TunePlace& place : Grid(fields)) {
      add(place);
    }
    chosen.is_full_grid = chosen.places.size() == size;
    return chosen;
  }
  for (std::uint64_t draw = 0; draw < kMostDraws && chosen.places.size() < most; ++draw) {
    for (const TunePlace& place :
         Hypercube(fields, most - chosen.places.size(), DeriveSeed(seed, draw))) {
      add(place);
    }
  }
  return chosen;
}

}  // namespace schedbench::harness
