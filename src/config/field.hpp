#pragma once

#include "base/fixed_string.hpp"
#include "config/file_name.hpp"

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>

// A config field is declared once, as a member of an aggregate:
//
//   enum class Steal { kOne, kHalf };
//   constexpr std::array<std::string_view, 2> NamesOf(Steal) {
//     return {"one", "half"};
//   }
//   struct FastConfig {
//     Field<"workers", 0U, Range{0u, 48u}, "Threads; 0 = one per CPU"> workers;
//     Field<"steal", Steal::kHalf, AnyOf{}, "How much a thief takes"> steal;
//     Group<"fibers", FiberConfig, "Stacks of the fibers"> fibers;
//
//     static void Check(const FastConfig& config, Problems& problems);  // optional, see schema.hpp
//   };
//
// Parsing, checking, defaults, `describe`, the JSON Schema and the recorded settings are derived
// from that line (config/schema.hpp). Code that only reads a config needs only this light header.

namespace schedbench::config {

// The names of an enum on the command line and in JSON: enumerator i has the name NamesOf(E)[i].
// Define NamesOf next to the enum, in its namespace. The enumerators must be 0, 1, 2, ...
template <typename E>
inline constexpr auto kNamesOf = NamesOf(E{});

// Limit: min..max, both included.
template <typename T>
struct Range {
  T min;
  T max;
};

// Limits an unsigned field to powers of two in min..max, both included.
template <typename T>
struct PowerOfTwo {
  T min;
  T max;
};

// Allows every value of the type, of an enum only the first `count`. For enums, bool and FileName.
struct AnyOf {
  std::size_t count = ~std::size_t{0};
};

namespace detail {

template <typename T>
inline constexpr bool kIsNumber =
    std::same_as<T, std::uint32_t> || std::same_as<T, std::uint64_t> ||
    std::same_as<T, std::int64_t> || std::same_as<T, double>;

template <typename T>
inline constexpr bool kIsPowerOfTwo = false;
template <typename T>
inline constexpr bool kIsPowerOfTwo<PowerOfTwo<T>> = true;

template <typename T>
inline constexpr bool kIsRange = false;
template <typename T>
inline constexpr bool kIsRange<Range<T>> = true;

// A name is a key in JSON, a step of a dotted path and part of a workload spec: lower_snake_case
// excludes characters with a meaning there ('.', '=', ',', ':', '/', '~') and of the notes' "x-".
consteval bool IsFieldName(std::string_view name) {
  if (name.empty() || name.front() < 'a' || name.front() > 'z') {
    return false;
  }
  for (const char c : name) {
    if (!((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_')) {
      return false;
    }
  }
  return true;
}

// Returns whether a bound of another number type (Range{0u, 9u} of a 64-bit field) keeps its value.
template <typename T, typename Bound>
consteval bool Represents(Bound bound) {
  if constexpr (std::integral<T> && std::integral<Bound>) {
    return std::in_range<T>(bound);
  } else {
    return std::same_as<T, double>;
  }
}

consteval bool IsFinite(double number) {
  return number >= std::numeric_limits<double>::lowest() &&
         number <= std::numeric_limits<double>::max();
}

template <typename T, auto Default, auto Limit>
consteval bool IsWellLimited() {
  using L = std::remove_cv_t<decltype(Limit)>;
  if constexpr (std::same_as<L, AnyOf>) {
    if constexpr (std::is_enum_v<T>) {
      return static_cast<std::size_t>(Default) < std::min(Limit.count, kNamesOf<T>.size());
    } else {
      return std::same_as<T, bool> || std::same_as<T, FileName>;
    }
  } else if constexpr (!kIsNumber<T> || !(kIsRange<L> || kIsPowerOfTwo<L>)) {
    return false;
  } else if constexpr (!Represents<T>(Limit.min) || !Represents<T>(Limit.max)) {
    return false;
  } else if constexpr (kIsPowerOfTwo<L>) {
    if constexpr (std::unsigned_integral<T>) {
      return std::has_single_bit(T{Limit.min}) && std::has_single_bit(T{Limit.max}) &&
             std::has_single_bit(Default) && Limit.min <= Default && Default <= Limit.max;
    } else {
      return false;
    }
  } else if constexpr (std::same_as<T, double>) {
    return IsFinite(Limit.min) && IsFinite(Limit.max) && Limit.min <= Default &&
           Default <= Limit.max;
  } else {
    return T{Limit.min} <= Default && Default <= T{Limit.max};
  }
}

}  // namespace detail

// One value of a config: std::uint32_t, std::uint64_t, std::int64_t, double, bool, FileName or an
// enum with NamesOf. An object only holds the value; the rest is in the type.
template <FixedString Name, auto Default, auto Limit, FixedString Doc>
struct Field {
  using Type = std::remove_cv_t<decltype(Default)>;

  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kDoc = Doc;
  static constexpr Type kDefault = Default;
  static constexpr auto kLimit = Limit;

  static_assert(detail::IsFieldName(Name), "a field's name is lower_snake_case");
  static_assert(detail::kIsNumber<Type> || std::same_as<Type, bool> ||
                    std::same_as<Type, FileName> || std::is_enum_v<Type>,
                "write the default with its type, as in std::uint32_t{256}");
  static_assert(detail::IsWellLimited<Type, Default, Limit>(),
                "the limit must suit the type and contain the default");

  Type value = Default;

  constexpr operator Type() const {  // NOLINT: implicit, so that a field reads as its value
    return value;
  }
};

// A nested struct of fields: an object in JSON, "name.field" in a path.
template <FixedString Name, typename Struct, FixedString Doc>
struct Group {
  using Type = Struct;

  static constexpr std::string_view kName = Name;
  static constexpr std::string_view kDoc = Doc;

  static_assert(detail::IsFieldName(Name), "a group's name is lower_snake_case");

  Struct value{};

  constexpr const Struct* operator->() const {
    return &value;
  }
  constexpr Struct* operator->() {
    return &value;
  }
};

}  // namespace schedbench::config
