#pragma once

#include "config/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Each returns the end of a message about a name that the schema does not have, in the form of
// DidYouMean().

// For a key of an object; `others` are keys that are allowed beside the fields. A field that stands
// in a group is found too: "; did you mean 'fibers.stack_bytes'?".
std::string FieldHint(std::string_view key, const Schema& schema,
                      const std::vector<std::string_view>& others);

// For a dotted path.
std::string PathHint(std::string_view path, const Schema& schema);

// Returns "; fields: a, b" of a schema.
std::string KnownFields(const Schema& schema);

}  // namespace schedbench::config
