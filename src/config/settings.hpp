#pragma once

#include "base/assert.hpp"
#include "config/problems.hpp"
#include "config/schema.hpp"
#include "config/value.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <typeinfo>
#include <vector>

namespace schedbench::config {

// Where a value was given, in the terms of Problem. Both empty: the built-in default.
struct Origin {
  std::string where;
  std::string path;

  bool operator==(const Origin&) const = default;
};

// A config whose C++ type only its owner uses. The rest of the tool passes this. Copyable; a
// copy is independent. Thread-safe as a std::vector is. Always inside the limits of its fields,
// because every way in checks them; rules between fields hold after CheckRules() has found nothing.
class Settings {
 public:
  // Returns the defaults of Config. Needs SchemaOf<Config>() linked in.
  template <typename Config>
  static Settings Of() {
    return Settings(SchemaOf<Config>());
  }

  explicit Settings(const Schema& schema);

  const Schema& GetSchema() const {
    return *schema_;
  }

  // Returns the config as its own type. The reference lives as long as this object, and sees its
  // changes. Requires: these are the settings of a Config.
  template <typename Config>
  const Config& As() const {
    SB_ASSERT(schema_->Type() == typeid(Config), "settings of another type");
    return *reinterpret_cast<const Config*>(bytes_.data());
  }

  // Requires for all below: `path` is a leaf of the schema (Schema::FindLeaf).
  Value Get(std::string_view path) const;
  // Requires: the field admits the value. Text of a user goes through Assign() or ApplyJson()
  // instead.
  void Set(std::string_view path, const Value& value, Origin origin);
  const Origin& OriginOf(std::string_view path) const;

  // Same type and same values; where they came from does not matter.
  bool operator==(const Settings& other) const;

 private:
  const Leaf& LeafAt(std::string_view path) const;

  friend void CheckRules(const Settings& settings, Problems& problems);

  const Schema* schema_;
  std::vector<std::byte> bytes_;  // the config; operator new aligns it for every fundamental type
  std::map<std::string, Origin, std::less<>> origins_;
};

// Calls visit(path, value) for every field, defaults included, in the order of the declaration.
void ForEachLeaf(const Settings& settings,
                 const std::function<void(const std::string& path, const Value& value)>& visit);

// Returns "path=value" of each field that does not have its default, but for the field `except`.
std::vector<std::string> ChangedFields(const Settings& settings, std::string_view except = "");

// Returns "NAME:path=value,path=value", or the name alone.
std::string SpecText(std::string_view name, const std::vector<std::string>& fields);

// Runs the Check() of the config and of its groups. Each problem names the place where the user
// gave the value of the field that the rule complains of. Call it once, when all files and flags
// are applied: a flag may fix what a file left open.
void CheckRules(const Settings& settings, Problems& problems);

// Returns the files that the fields name, without empty names.
std::vector<std::string> FilesOf(const Settings& settings);

}  // namespace schedbench::config
