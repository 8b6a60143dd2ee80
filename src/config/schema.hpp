#pragma once

#include "config/value.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace schedbench::config {

class Problems;
class Schema;

enum class Kind { kUnsigned, kSigned, kReal, kBool, kEnum, kFile, kGroup };

// What one Field or Group line says, with the type erased.
struct FieldInfo {
  std::string_view name;
  std::string_view doc;
  Kind kind = Kind::kBool;
  std::size_t offset = 0;  // bytes from the start of the struct that declares it to its value

  // Everything but groups.
  Value default_value;
  Value (*load)(const void* address) = nullptr;
  void (*store)(void* address, const Value& value) = nullptr;  // Requires: Admits(value)

  // Numbers: both bounds, of the alternative that the kind has in Value.
  Value min;
  Value max;
  bool power_of_two = false;

  std::span<const std::string_view> choices;  // enums
  const Schema* group = nullptr;              // groups

  // Returns what may be written: "0..48", "2..65536 ^2" (powers of two), "one|half", "true|false", "the name of a file".
  std::string Allowed() const;

  // Returns true iff `value` is of the field's kind and inside its limits. Not for groups.
  bool Admits(const Value& value) const;
};

// A field that holds a value, found by its dotted path from the root of a config.
struct Leaf {
  std::string path;  // "fibers.stack_bytes"
  const FieldInfo* field;
  std::size_t offset;  // bytes from the start of the config to the value
};

// The fields of one config struct, in the order of their declaration. Immutable; lives forever.
//
// A struct may state rules between its fields:
//   static void Check(const FastConfig& config, Problems& problems) {
//     if (config.spin_limit > config.workers / 2) {
//       problems.Add("spin_limit", "more than half of the workers would spin");
//     }
//     if (config.workers == 1) {
//       problems.AddUnused("steal_batch", "a lone worker has no other to steal from");
//     }
//   }
// CheckRules() (config/settings.hpp) runs it when all input has been applied.
class Schema {
 public:
  using CheckFunction = void (*)(const void* config, Problems& problems);

  // Use SchemaOf<Config>(). `defaults` is the image of a default config of `type`.
  Schema(const std::type_info& type, std::vector<std::byte> defaults, std::vector<FieldInfo> fields,
         CheckFunction check);
  Schema(const Schema&) = delete;
  Schema& operator=(const Schema&) = delete;

  const std::type_info& Type() const {
    return *type_;
  }
  std::span<const std::byte> Defaults() const {
    return defaults_;
  }
  const std::vector<FieldInfo>& Fields() const {
    return fields_;
  }
  // Null when the struct states no rules of its own; those of a group are in the group's schema.
  CheckFunction Check() const {
    return check_;
  }

  // All fields that hold a value, groups opened, in the order of their declaration.
  const std::vector<Leaf>& Leaves() const {
    return leaves_;
  }

  // Each returns null when there is none.
  const FieldInfo* FindField(std::string_view name) const;
  const Leaf* FindLeaf(std::string_view path) const;

  std::vector<std::string_view> FieldNames() const;
  std::vector<std::string_view> LeafPaths() const;

 private:
  const std::type_info* type_;
  std::vector<std::byte> defaults_;
  std::vector<FieldInfo> fields_;
  CheckFunction check_;
  std::vector<Leaf> leaves_;
};

// Returns the schema of a config struct; thread-safe. Defined in config/schema_of.hpp, which only
// the .cpp that registers the struct includes: it drags in Boost.PFR.
template <typename Config>
const Schema& SchemaOf();

}  // namespace schedbench::config
