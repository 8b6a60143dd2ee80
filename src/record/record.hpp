#pragma once

#include "record/type.hpp"

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <string_view>
#include <type_traits>
#include <vector>

// A struct on the wire is declared once, next to the struct:
//
//   record::Of<Round> RecordOf(const Round* /*type*/) {
//     return {"Round",
//             {{"wall_ns", &Round::wall_ns, "Wall time of the round"},
//              {"cpus", &Round::cpus, "CPUs that it may use", {record::kOptional, 4096}},
//              {"rate", [](const Round& round) { return round.Rate(); }, "Operations/s"}}};
//   }
//
// The writer, the reader, the JSON Schema and the table of keys follow from it. A key is a member,
// which is read and written, or a function, which is only written. RecordOf() is in the namespace
// of the struct. It may make a record for each call: RecordFor() keeps the first one. A function
// that returns a reference to its own record may choose by its argument.

namespace schedbench::record {

// Replaces the name of a key whose value's keys belong to the object itself.
inline constexpr const char* kInline = nullptr;

// A key without the type of its struct.
struct KeyInfo {
  const char* name;
  const char* doc;
  Limits limits;
  const Type* type;
  std::size_t offset;                               // offset of the member
  void (*project)(const void* object, Json& json);  // null: the key is a member

  void Write(const void* object, Json& json) const {
    project == nullptr ? type->write(static_cast<const char*>(object) + offset, json)
                       : project(object, json);
  }
};

template <typename T>
struct Key : KeyInfo {
  template <typename M>
  Key(const char* name, M T::* member, const char* doc, const Limits& limits = {})
      : Key(name, member, kType<M>, doc, limits) {
  }

  // Takes a member of a member, which its base may have.
  template <typename A, typename B, typename M>
    requires std::is_base_of_v<B, A>
  Key(const char* name, A T::* outer, M B::* inner, const char* doc, const Limits& limits = {})
      : KeyInfo{name,
                doc,
                limits,
                &kType<M>,
                OffsetOf(outer) + Key<A>::OffsetOf(static_cast<M A::*>(inner)),
                nullptr} {
  }

  // Takes a type that is not the member's: kJsonText.
  template <typename M>
  Key(const char* name, M T::* member, const Type& type, const char* doc, const Limits& limits = {})
      : KeyInfo{name, doc, limits, &type, OffsetOf(member), nullptr} {
  }

  // Requires: the function has no state.
  template <typename F>
    requires std::is_empty_v<F>
  Key(const char* name, F /*project*/, const char* doc, const Limits& limits = {})
      : KeyInfo{name, doc, limits, &kType<Result<F>>, 0, [](const void* object, Json& json) {
                  const auto& value = F{}(*static_cast<const T*>(object));
                  kType<Result<F>>.write(&value, json);
                }} {
  }

  template <typename F>
  using Result = std::remove_cvref_t<std::invoke_result_t<F, const T&>>;

  // Returns the offset of the member in the struct.
  template <typename M>
  static std::size_t OffsetOf(M T::* member) {
    // This memory does not hold an object: T may lack a default constructor.
    static const union Storage {
      char none;
      T object;
      Storage()
          : none() {
      }
      ~Storage() {
      }
    } kStorage;
    return static_cast<std::size_t>(
        reinterpret_cast<const char*>(std::addressof(kStorage.object.*member)) -
        reinterpret_cast<const char*>(std::addressof(kStorage.object)));
  }
};

// The keys of a struct in the order of writing. Thread-safe.
class Record {
 public:
  // `name`: the name of the definition in schemas.
  Record(const char* name, const KeyInfo* keys, std::size_t count);

  const char* Name() const {
    return name_;
  }
  const std::vector<KeyInfo>& Keys() const {
    return keys_;
  }

  // Adds the keys to the object.
  void Write(const void* object, Json& json) const;
  // Reads all keys except functions. Throws ReadError.
  void Read(void* object, const Json& json, const Place& place) const;

 private:
  void ReadKeys(void* object, const Json& json, const Place& place) const;
  void AddNames(std::vector<std::string_view>& names) const;

  const char* name_;
  std::vector<KeyInfo> keys_;
};

template <typename T>
class Of : public Record {
 public:
  Of(const char* name, std::initializer_list<Key<T>> keys)
      : Record(name, keys.begin(), keys.size()) {
    static_assert(sizeof(Key<T>) == sizeof(KeyInfo));
  }
};

// Returns the JSON of a described value. Its caller includes <nlohmann/json.hpp>.
Json ToJson(const Type& type, const void* value);
template <typename T>
auto ToJson(const T& value) {
  return ToJson(kType<T>, &value);
}

// Reads a described value from `place`. Unknown keys are ignored. Throws ReadError.
template <typename T>
T FromJson(const Json& json, const Place& place = {}) {
  T value{};
  kType<T>.read(&value, json, place);
  return value;
}

}  // namespace schedbench::record
