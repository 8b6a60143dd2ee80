#pragma once

#include "config/schema.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Each function returns the end of a message about an unknown name, in the form of DidYouMean().

// Returns the hint for a key of an object; `others` are keys that are allowed in addition to the
// fields. Also finds a field in a group: "; did you mean 'fibers.stack_bytes'?".
std::string FieldHint(std::string_view key, const Schema& schema,
                      const std::vector<std::string_view>& others);

// Returns the hint for a dotted path.
std::string PathHint(std::string_view path, const Schema& schema);

// Returns "; fields: a, b" of a schema.
std::string KnownFields(const Schema& schema);

}  // namespace schedbench::config
