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

// The origin of a value, in the terms of Problem. Both empty: the built-in default.
struct Origin {
  std::string where;
  std::string path;

  bool operator==(const Origin&) const = default;
};

// A config whose C++ type only its owner uses. The rest of the tool passes this. A copy is
// independent. Thread-safe like a std::vector. Values are always inside the limits of their fields,
// because every input is checked; rules between fields hold after CheckRules() has found nothing.
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

  // Returns the config as its own type. The reference lives as long as this object, and shows its
  // changes. Requires: these are the settings of a Config.
  template <typename Config>
  const Config& As() const {
    SB_ASSERT(schema_->Type() == typeid(Config), "settings of another type");
    return *reinterpret_cast<const Config*>(bytes_.data());
  }

  // Requires for the functions below: `path` is a leaf of the schema (Schema::FindLeaf).
  Value Get(std::string_view path) const;
  // Requires: the field admits the value. User text must go through Assign() or ApplyJson().
  void Set(std::string_view path, const Value& value, Origin origin);
  const Origin& OriginOf(std::string_view path) const;

  // Compares types and values, but not origins.
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

// Returns "path=value" of each field without its default value, except for the field `except`.
std::vector<std::string> ChangedFields(const Settings& settings, std::string_view except = "");

// Returns "NAME:path=value,path=value", or only the name.
std::string SpecText(std::string_view name, const std::vector<std::string>& fields);

// Runs the Check() of the config and of its groups. Each problem names the location where the user
// gave the value. Call it once, after all files and flags: a flag may repair what a file left open.
void CheckRules(const Settings& settings, Problems& problems);

// Returns the files that the fields name, without empty names.
std::vector<std::string> FilesOf(const Settings& settings);

}  // namespace schedbench::config
