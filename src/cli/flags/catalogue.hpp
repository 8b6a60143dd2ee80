#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// The named things of this program, for `list`, `describe` and shell completion.

namespace schedbench::cli {

struct NamedThing {
  std::string name;
  std::string doc;  // one line, or ""
  // Only metrics have a unit and `one_per`.
  std::string unit = "";
  std::string one_per = "";  // "round"
  std::string total = "";    // how values are summarised

  bool operator==(const NamedThing&) const = default;
};

struct NamedKind {
  std::string_view name;  // "scheduler"; its list is "schedulers"
  std::vector<NamedThing> (*things)();
};

// Returns all kinds, in the order of `list`.
std::span<const NamedKind> NamedKinds();

}  // namespace schedbench::cli
