#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Settings as a flat list. Pure functions; thread-safe.

namespace schedbench::history {

// The dotted path of a setting and its value as JSON: {"stacks.guard", "true"}. In the order of the declaration.
using Leaves = std::vector<std::pair<std::string, std::string>>;

// Whether the text is a JSON object whose groups are not nested deeper than those of any config.
bool IsObject(const std::string& text);

// Returns the leaves of a JSON object. Requires: the text is one.
Leaves LeavesOf(const std::string& object);

// Returns the leaves whose value is another one in `defaults`, or that are not there.
Leaves WithoutDefaults(const Leaves& leaves, const Leaves& defaults);

// Returns the JSON object with groups as objects: the opposite of LeavesOf().
std::string NestedJson(const Leaves& leaves);

// Returns the JSON object with dotted keys: {"stacks.guard":true}.
std::string FlatJson(const Leaves& leaves);

// Returns "fast:lifo_limit=0,stacks.guard=true", or the name alone without leaves.
std::string SpecOf(const std::string& name, const Leaves& leaves);

// Returns the leaves of such a text, which follow its first colon. A value that is no JSON is a
// text.
Leaves LeavesOfSpec(std::string_view spec);

}  // namespace schedbench::history
