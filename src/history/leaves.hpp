#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Settings as a flat list. Pure functions; thread-safe.

namespace schedbench::history {

// Dotted paths and JSON values of settings, {"stacks.guard", "true"}, in declaration order.
using Leaves = std::vector<std::pair<std::string, std::string>>;

// Returns whether the text is a JSON object without groups nested deeper than any config's.
bool IsObject(const std::string& text);

// Returns the leaves of a JSON object. Requires: the text is an object.
Leaves LeavesOf(const std::string& object);

// Returns the leaves whose value differs from `defaults` or is missing there.
Leaves WithoutDefaults(const Leaves& leaves, const Leaves& defaults);

// Returns the JSON object with groups as objects: the opposite of LeavesOf().
std::string NestedJson(const Leaves& leaves);

// Returns the JSON object with dotted keys: {"stacks.guard":true}.
std::string FlatJson(const Leaves& leaves);

// Returns "fast:lifo_limit=0,stacks.guard=true", or only the name without leaves.
std::string SpecOf(const std::string& name, const Leaves& leaves);

// Returns such a text's leaves, after its first colon. A value that is not JSON is a text.
Leaves LeavesOfSpec(std::string_view spec);

}  // namespace schedbench::history
