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

// The content of a Field or Group line, with the type erased.
struct FieldInfo {
  std::string_view name;
  std::string_view doc;
  Kind kind = Kind::kBool;
  std::size_t offset = 0;  // bytes from the start of the declaring struct to its value

  // All kinds except groups have the next three members.
  Value default_value;
  Value (*load)(const void* address) = nullptr;
  void (*store)(void* address, const Value& value) = nullptr;  // requires: Admits(value)

  // Bounds of numbers; their alternative in Value is that of the kind.
  Value min;
  Value max;
  bool power_of_two = false;

  std::span<const std::string_view> choices;  // for enums
  const Schema* group = nullptr;              // for groups

  // Returns "0..48", "2..65536 ^2" (powers of two), "one|half", "true|false", "the name of a file".
  std::string Allowed() const;

  // Returns whether `value` is of the field's kind and inside its limits. Not for groups.
  bool Admits(const Value& value) const;
};

// A field with a value, found by its dotted path from the root of a config.
struct Leaf {
  std::string path;  // "fibers.stack_bytes"
  const FieldInfo* field;
  std::size_t offset;  // bytes from the start of the config to the value
};

// The fields of one config struct, in the order of their declaration. Immutable; never destroyed. A
// struct may state rules between its fields:
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
  // Returns null if the struct does not state rules; those of a group are in the group's schema.
  CheckFunction Check() const {
    return check_;
  }

  // Returns all fields with a value, groups opened, in the order of their declaration.
  const std::vector<Leaf>& Leaves() const {
    return leaves_;
  }

  // Each function returns null if there is none.
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
// the .cpp that registers the struct includes, because it includes Boost.PFR.
template <typename Config>
const Schema& SchemaOf();

}  // namespace schedbench::config
