#pragma once

#include "config/problems.hpp"
#include "config/schema.hpp"
#include "config/settings.hpp"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <string_view>

namespace schedbench::config {

// Returns every field with its value, defaults included, in the order of the declaration; groups
// are objects. ApplyJson() converts the result back to equal settings. Callers include
// <nlohmann/json.hpp>; .dump(2) is the text.
nlohmann::ordered_json ToJson(const Settings& settings);

// Applies a JSON object to the defaults of a schema. `name`: the object's name in messages. Rules
// between fields are not checked.
Settings SettingsFromJson(const Schema& schema, const std::string& object, const std::string& name,
                          Problems& problems);

// Returns a text as a JSON string with quotes. Invalid UTF-8 is replaced by U+FFFD.
std::string JsonString(std::string_view text);

}  // namespace schedbench::config
