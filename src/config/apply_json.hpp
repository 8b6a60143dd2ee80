#pragma once

#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"

#include <string_view>
#include <vector>

namespace schedbench::config {

// Sets the fields that `object`, a node of `document`, names, and records where each was given.
// Other fields keep their values, so files can be applied one over another. Errors become problems:
// a value that is not an object, unknown keys, values of another type or outside the limits.
// Ignored: keys that begin with "x-" (notes, at any depth), "$schema" (for editors; in `object`
// itself only), and the keys in `handled`, which the caller reads ("scheduler").
void ApplyJson(const JsonDocument& document, const JsonNode& object, Settings& settings,
               Problems& problems, const std::vector<std::string_view>& handled = {});

}  // namespace schedbench::config
