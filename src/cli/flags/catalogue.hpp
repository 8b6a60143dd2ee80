#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

// What this program has by name: for `list`, `describe` and the completion in shells.

namespace schedbench::cli {

struct NamedThing {
  std::string name;
  std::string doc;  // one line, or ""
  // Only metrics have the next two.
  std::string unit = "";
  std::string one_per = "";  // "round"
  std::string total = "";    // how values become one

  bool operator==(const NamedThing&) const = default;
};

struct NamedKind {
  std::string_view name;  // "scheduler"; its list is "schedulers"
  std::vector<NamedThing> (*things)();
};

// All kinds, in the order of `list`.
std::span<const NamedKind> NamedKinds();

}  // namespace schedbench::cli
