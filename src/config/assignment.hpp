#pragma once

#include "config/problems.hpp"
#include "config/settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Settings from the command line. Messages name the flag as it was typed, in place of a file's
// line.

// Sets the field at a dotted path from the text of its value; false, and a problem, when that is
// wrong. `noun` is what a message calls the key: "field", "parameter".
bool Assign(Settings& settings, std::string_view path, std::string_view text, const Origin& origin,
            Problems& problems, std::string_view noun = "field");

// Applies one `--set fibers.guard=always`: `assignment` is the part after the flag. A later
// assignment of the same field wins.
void ApplySet(std::string_view assignment, Settings& settings, Problems& problems,
              std::string_view flag = "--set");

struct SpecParameter {
  std::string key;
  std::string value;
};

// "name:key=value,key=value", as in `--workload pingpong:pairs=64,messages=1000`.
struct Spec {
  std::string name;
  std::vector<SpecParameter> parameters;
  std::string where;  // "--workload pingpong:pairs=64", escaped: for the messages about this spec
};

// Splits a spec. Returns nothing, and adds the problems, when it has another form or a key twice. `flag`: for messages; "" of a
// word that no flag precedes.
std::optional<Spec> ParseSpec(std::string_view text, std::string_view flag, Problems& problems);

// Sets every parameter of the spec. `noun`: what messages call one of them.
void ApplySpec(const Spec& spec, Settings& settings, Problems& problems,
               std::string_view noun = "parameter");

}  // namespace schedbench::config
