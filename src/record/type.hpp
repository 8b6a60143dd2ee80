#pragma once

#include "config/field.hpp"

#include <nlohmann/json_fwd.hpp>

#include <array>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Describes how a C++ type is written as JSON, read and described. All code behind a Type works on
// untyped memory, so that the templates stay thin: a type costs a few functions of one line,
// however many keys have it. Thread-safe.

namespace schedbench::record {

// JSON objects keep the order in which their keys were added.
using Json = nlohmann::ordered_json;

class Record;

enum class Presence {
  kRequired,  // the key is always there
  kOptional,  // always written; a reader keeps the default if the key is missing
  kOmitted,   // written unless the value is empty, 0, false or "", and optional for a reader
  kNull,      // always there; written as null if the value is empty, 0, false or ""
};
using enum Presence;

// Limits of a key's value beyond its type. Readers check them; the schema describes them.
struct Limits {
  Presence presence = kRequired;
  // The range of a whole number. A value with least == most is a constant.
  std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  std::uint64_t least = 0;
  std::span<const std::string_view> one_of = {};  // allowed texts
  bool from_0 = false;  // whether a number with a fraction must not be negative
  // A text for display: not empty, no control characters. An array of such texts is not empty.
  bool is_name = false;
};

// A refused value. what() is "POINTER: COMPLAINT", or only the complaint for the whole text.
class ReadError : public std::runtime_error {
 public:
  ReadError(std::string pointer, const std::string& complaint);

  // Returns a JSON pointer (RFC 6901), escaped for printing.
  const std::string& Pointer() const {
    return pointer_;
  }
  const std::string& Complaint() const {
    return complaint_;
  }

 private:
  std::string pointer_;
  std::string complaint_;
};

// A reader's position: an object on the stack for each level; only a refusal makes a text.
struct Place {
  const Place* parent = nullptr;
  std::string_view key = {};
  std::optional<std::size_t> index = std::nullopt;  // index of an element, instead of the key
  const Limits* limits = nullptr;                   // limits of the key; elements inherit them
  bool refuses_unknown = false;                     // refuses keys that the record does not have

  // Returns the position of a value inside this one.
  Place At(std::string_view step, const Limits* of_key) const {
    return {this, step, std::nullopt, of_key, refuses_unknown};
  }
  std::string Pointer() const;
  [[noreturn]] void Refuse(const std::string& complaint) const;
  // Refuses "VALUE is not WHAT".
  [[noreturn]] void RefuseValue(const Json& value, const std::string& what) const;
};

struct Type {
  // kCount is a whole number from 0. Integers that are read are also from 0.
  enum class Kind {
    kBool,
    kCount,
    kInteger,
    kNumber,
    kText,
    kOptional,
    kArray,
    kMap,
    kRecord,
    kObject
  };

  Kind kind;
  void (*write)(const void* value, Json& json);
  // Throws ReadError. Null: such values are only written.
  void (*read)(void* value, const Json& json, const Place& place) = nullptr;
  const Type* element = nullptr;                 // for kOptional, kArray and kMap
  const Record& (*record)() = nullptr;           // for kRecord
  std::span<const std::string_view> names = {};  // names of an enumeration
};

namespace detail {

void WriteBool(const void* value, Json& json);
void ReadBool(void* value, const Json& json, const Place& place);
void WriteString(const void* value, Json& json);
void ReadString(void* value, const Json& json, const Place& place);
void WriteDouble(const void* value, Json& json);  // NaN and infinity are null
void ReadDouble(void* value, const Json& json, const Place& place);
void WriteJson(const void* value, Json& json);
void WriteJsonText(const void* value, Json& json);
void ReadJsonText(void* value, const Json& json, const Place& place);
void WriteText(std::string_view text, Json& json);
void WriteInteger(std::uint64_t number, Json& json);
void WriteInteger(std::int64_t number, Json& json);
std::uint64_t ReadInteger(const Json& json, const Place& place, std::uint64_t most);
std::size_t ReadName(const Json& json, const Place& place, std::span<const std::string_view> names);

Json& Append(Json& array);
Json& AddMember(Json& object, std::string_view name);
void MakeEmptyArray(Json& json);
void MakeObject(Json& json);  // keeps the members of an object
bool IsNull(const Json& json);
// `append` returns the memory of a new element.
void ReadArray(const Json& json, const Place& place, const Type& element, void* values,
               void* (*append)(void* values), std::optional<std::size_t> size);
void ReadMap(const Json& json, const Place& place, const Type& element, void* values,
             void* (*append)(void* values, const std::string& name));
void WriteRecord(const Record& record, const void* value, Json& json);
void ReadRecord(const Record& record, void* value, const Json& json, const Place& place);

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

template <typename T>
inline constexpr bool kIsStdArray = false;
template <typename T, std::size_t N>
inline constexpr bool kIsStdArray<std::array<T, N>> = true;

template <typename T>
concept Mapping = requires(const T& map) {
  { map.begin()->first } -> std::convertible_to<std::string_view>;
  map.begin()->second;
};

template <typename T>
concept Sequence = requires(const T& range) { *range.begin(); };

}  // namespace detail

// Returns the record without keys.
const Record& EmptyRecord();

// Returns RecordOf() of a struct, from its namespace. A struct without members does not need it.
template <typename T>
const Record& RecordFor() {
  if constexpr (std::is_empty_v<T>) {
    return EmptyRecord();
  } else {
    static const Record& kRecord = RecordOf(static_cast<const T*>(nullptr));
    return kRecord;
  }
}

template <typename T>
consteval Type MakeType();

template <typename T>
inline constexpr Type kType = MakeType<T>();

// The type of a std::string member that holds the text of an object; "" is null.
inline constexpr Type kJsonText{Type::Kind::kObject, &detail::WriteJsonText, &detail::ReadJsonText};

// NOLINTBEGIN(readability-function-size): a case for each kind of type.
template <typename T>
consteval Type MakeType() {
  using Kind = Type::Kind;
  if constexpr (std::same_as<T, bool>) {
    return {Kind::kBool, &detail::WriteBool, &detail::ReadBool};
  } else if constexpr (std::same_as<T, double>) {
    return {Kind::kNumber, &detail::WriteDouble, &detail::ReadDouble};
  } else if constexpr (std::same_as<T, std::string>) {
    return {Kind::kText, &detail::WriteString, &detail::ReadString};
  } else if constexpr (std::integral<T>) {
    using Wide = std::conditional_t<std::signed_integral<T>, std::int64_t, std::uint64_t>;
    return {std::signed_integral<T> ? Kind::kInteger : Kind::kCount,
            [](const void* value, Json& json) {
              detail::WriteInteger(Wide{*static_cast<const T*>(value)}, json);
            },
            [](void* value, const Json& json, const Place& place) {
              constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<T>::max());
              *static_cast<T*>(value) = static_cast<T>(detail::ReadInteger(json, place, kMost));
            }};
  } else if constexpr (std::same_as<T, std::chrono::nanoseconds>) {
    return {Kind::kInteger,
            [](const void* value, Json& json) {
              detail::WriteInteger(std::int64_t{static_cast<const T*>(value)->count()}, json);
            },
            [](void* value, const Json& json, const Place& place) {
              constexpr std::uint64_t kMost = std::numeric_limits<std::int64_t>::max();
              *static_cast<T*>(value) =
                  T(static_cast<std::int64_t>(detail::ReadInteger(json, place, kMost)));
            }};
  } else if constexpr (std::is_enum_v<T>) {
    if constexpr (requires { NamesOf(T{}); }) {
      return {Kind::kText,
              [](const void* value, Json& json) {
                const auto index = static_cast<std::size_t>(*static_cast<const T*>(value));
                detail::WriteText(config::kNamesOf<T>[index], json);
              },
              [](void* value, const Json& json, const Place& place) {
                *static_cast<T*>(value) =
                    static_cast<T>(detail::ReadName(json, place, config::kNamesOf<T>));
              },
              nullptr,
              nullptr,
              config::kNamesOf<T>};
    } else {
      return {Kind::kText, [](const void* value, Json& json) {
                detail::WriteText(ToText(*static_cast<const T*>(value)), json);
              }};
    }
  } else if constexpr (std::same_as<T, Json>) {
    return {Kind::kObject, &detail::WriteJson};
  } else if constexpr (std::convertible_to<const T&, std::string_view>) {
    return {Kind::kText, [](const void* value, Json& json) {
              detail::WriteText(*static_cast<const T*>(value), json);
            }};
  } else if constexpr (std::is_pointer_v<T>) {
    // A pointer is written as the value behind it. Requires: it is not null.
    using Held = std::remove_cv_t<std::remove_pointer_t<T>>;
    return {kType<Held>.kind,
            [](const void* value, Json& json) {
              kType<Held>.write(*static_cast<const T*>(value), json);
            },
            nullptr,
            kType<Held>.element,
            kType<Held>.record,
            kType<Held>.names};
  } else if constexpr (detail::kIsOptional<T>) {
    using Held = typename T::value_type;
    return {Kind::kOptional,
            [](const void* value, Json& json) {
              if (const T& held = *static_cast<const T*>(value)) {
                kType<Held>.write(&*held, json);
              }
            },
            [](void* value, const Json& json, const Place& place) {
              if (detail::IsNull(json)) {
                static_cast<T*>(value)->reset();
              } else if constexpr (std::default_initializable<Held>) {
                kType<Held>.read(&static_cast<T*>(value)->emplace(), json, place);
              }
            },
            &kType<Held>};
  } else if constexpr (detail::Mapping<T>) {
    using Held = std::remove_cvref_t<decltype(std::declval<const T&>().begin()->second)>;
    return {Kind::kMap,
            [](const void* value, Json& json) {
              detail::MakeObject(json);
              for (const auto& [name, held] : *static_cast<const T*>(value)) {
                kType<Held>.write(&held, detail::AddMember(json, name));
              }
            },
            [](void* value, const Json& json, const Place& place) {
              if constexpr (std::default_initializable<Held>) {
                static_cast<T*>(value)->clear();
                detail::ReadMap(json, place, kType<Held>, value,
                                [](void* values, const std::string& name) -> void* {
                                  T& map = *static_cast<T*>(values);
                                  if constexpr (requires { map[name]; }) {
                                    return &map[name];
                                  } else {
                                    return &map.emplace_back(name, Held{}).second;
                                  }
                                });
              }
            },
            &kType<Held>};
  } else if constexpr (detail::Sequence<T>) {
    using Held = std::remove_cvref_t<decltype(*std::declval<const T&>().begin())>;
    return {
        Kind::kArray,
        [](const void* value, Json& json) {
          detail::MakeEmptyArray(json);
          for (const auto& held : *static_cast<const T*>(value)) {
            kType<Held>.write(&held, detail::Append(json));
          }
        },
        [](void* value, const Json& json, const Place& place) {
          if constexpr (detail::kIsStdArray<T>) {
            auto next = static_cast<T*>(value)->begin();
            detail::ReadArray(
                json, place, kType<Held>, &next,
                [](void* values) -> void* { return &*(*static_cast<decltype(next)*>(values))++; },
                std::tuple_size_v<T>);
          } else if constexpr (std::default_initializable<Held> &&
                               requires(T& list) { list.push_back(Held{}); }) {
            static_cast<T*>(value)->clear();
            detail::ReadArray(
                json, place, kType<Held>, value,
                [](void* values) -> void* { return &static_cast<T*>(values)->emplace_back(); },
                std::nullopt);
          }
        },
        &kType<Held>};
  } else {
    return {Kind::kRecord,
            [](const void* value, Json& json) { detail::WriteRecord(RecordFor<T>(), value, json); },
            [](void* value, const Json& json, const Place& place) {
              detail::ReadRecord(RecordFor<T>(), value, json, place);
            },
            nullptr, &RecordFor<T>};
  }
}
// NOLINTEND(readability-function-size)

}  // namespace schedbench::record
