#pragma once

#include "config/settings.hpp"

#include <nlohmann/json_fwd.hpp>

namespace schedbench::config {

// Returns every field with its value, defaults included, in the order of the declaration; groups
// are objects. ApplyJson() takes the result back to equal settings. Its caller includes
// <nlohmann/json.hpp>; .dump(2) is the text.
nlohmann::ordered_json ToJson(const Settings& settings);

}  // namespace schedbench::config
