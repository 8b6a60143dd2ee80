#pragma once

#include "base/assert.hpp"
#include "config/field.hpp"
#include "config/problems.hpp"
#include "config/schema.hpp"

#include <boost/pfr/core.hpp>

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

// Defines SchemaOf<Config>(): include it only in the .cpp that registers Config.

namespace schedbench::config {

namespace detail {

template <typename T>
constexpr Kind KindOf() {
  if constexpr (std::is_same_v<T, bool>) {
    return Kind::kBool;
  } else if constexpr (std::is_enum_v<T>) {
    return Kind::kEnum;
  } else if constexpr (std::is_same_v<T, FileName>) {
    return Kind::kFile;
  } else if constexpr (std::is_same_v<T, double>) {
    return Kind::kReal;
  } else if constexpr (std::is_unsigned_v<T>) {
    return Kind::kUnsigned;
  } else {
    return Kind::kSigned;
  }
}

template <typename T>
Value Erase(T value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    return Value(value);
  } else if constexpr (std::is_enum_v<T>) {
    const auto index = static_cast<std::size_t>(value);
    SB_ASSERT(index < kNamesOf<T>.size(), "an enumerator without a name");
    return Value(std::string(kNamesOf<T>[index]));
  } else if constexpr (std::is_same_v<T, FileName>) {
    return Value(std::string(std::string_view(value)));
  } else if constexpr (std::is_unsigned_v<T>) {
    return Value(std::uint64_t{value});
  } else {
    return Value(std::int64_t{value});
  }
}

template <typename T>
Value Load(const void* address) {
  return Erase(*static_cast<const T*>(address));
}

template <typename T>
void Store(void* address, const Value& value) {
  T& target = *static_cast<T*>(address);
  if constexpr (std::is_enum_v<T>) {
    const auto& names = kNamesOf<T>;
    std::size_t index = 0;
    while (index < names.size() && names[index] != std::get<std::string>(value)) {
      ++index;
    }
    SB_ASSERT(index < names.size(), "not a name of the enum");
    target = static_cast<T>(index);
  } else if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, double>) {
    target = std::get<T>(value);
  } else if constexpr (std::is_same_v<T, FileName>) {
    target = FileName(std::get<std::string>(value));
  } else if constexpr (std::is_unsigned_v<T>) {
    target = static_cast<T>(std::get<std::uint64_t>(value));
  } else {
    target = static_cast<T>(std::get<std::int64_t>(value));
  }
}

template <FixedString Name, auto Default, auto Limit, FixedString Doc>
FieldInfo InfoOf(const Field<Name, Default, Limit, Doc>&) {
  using F = Field<Name, Default, Limit, Doc>;
  using T = typename F::Type;
  FieldInfo info;
  info.name = F::kName;
  info.doc = F::kDoc;
  info.kind = KindOf<T>();
  info.default_value = Erase<T>(Default);
  info.load = &Load<T>;
  info.store = &Store<T>;
  if constexpr (kIsNumber<T>) {
    info.min = Erase<T>(static_cast<T>(Limit.min));
    info.max = Erase<T>(static_cast<T>(Limit.max));
    info.power_of_two = kIsPowerOfTwo<std::remove_cv_t<decltype(Limit)>>;
  } else if constexpr (std::is_enum_v<T>) {
    info.choices = std::span(kNamesOf<T>).first(std::min(Limit.count, kNamesOf<T>.size()));
  }
  return info;
}

template <FixedString Name, typename Struct, FixedString Doc>
FieldInfo InfoOf(const Group<Name, Struct, Doc>&) {
  using G = Group<Name, Struct, Doc>;
  FieldInfo info;
  info.name = G::kName;
  info.doc = G::kDoc;
  info.kind = Kind::kGroup;
  info.group = &SchemaOf<Struct>();
  return info;
}

template <typename Config>
concept HasRules =
    requires(const Config& config, Problems& problems) { Config::Check(config, problems); };

template <typename Config>
constexpr Schema::CheckFunction CheckOf() {
  if constexpr (HasRules<Config>) {
    return [](const void* config, Problems& problems) {
      Config::Check(*static_cast<const Config*>(config), problems);
    };
  } else {
    return nullptr;
  }
}

}  // namespace detail

template <typename Config>
const Schema& SchemaOf() {
  static_assert(std::is_aggregate_v<Config>, "a config is an aggregate of Field and Group members");
  // Settings keeps a config as bytes and finds its fields by offset.
  static_assert(std::is_trivially_copyable_v<Config> && std::is_standard_layout_v<Config>,
                "a config has Field and Group members only");
  static_assert(alignof(Config) <= alignof(std::max_align_t));

  static const Schema schema = [] {
    const Config config{};
    std::vector<FieldInfo> fields;
    boost::pfr::for_each_field(config, [&](const auto& member) {
      FieldInfo info = detail::InfoOf(member);
      info.offset = static_cast<std::size_t>(reinterpret_cast<const std::byte*>(&member.value) -
                                             reinterpret_cast<const std::byte*>(&config));
      fields.push_back(std::move(info));
    });
    std::vector<std::byte> defaults(sizeof(Config));
    std::memcpy(defaults.data(), &config, sizeof(Config));
    return Schema(typeid(Config), std::move(defaults), std::move(fields),
                  detail::CheckOf<Config>());
  }();
  return schema;
}

}  // namespace schedbench::config
