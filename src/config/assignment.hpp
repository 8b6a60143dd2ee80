#pragma once

#include "config/problems.hpp"
#include "config/settings.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// Settings from the command line. Messages name the flag as it was typed, instead of a file's line.

// Sets the field at a dotted path from the text of its value; returns false, and adds a problem, if
// that is wrong. `noun`: the word for the key in messages, "field" or "parameter".
bool Assign(Settings& settings, std::string_view path, std::string_view text, const Origin& origin,
            Problems& problems, std::string_view noun = "field");

// Applies `--set fibers.guard=always`; `assignment` follows the flag. A later assignment wins.
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
  std::string where;  // "--workload pingpong:pairs=64", escaped for messages
};

// Splits a spec. Returns none, and adds the problems, if it has another form or a key twice.
// `flag`: for messages; "" for a word without a flag.
std::optional<Spec> ParseSpec(std::string_view text, std::string_view flag, Problems& problems);

// Sets every parameter of the spec. `noun`: the word for one of them in messages.
void ApplySpec(const Spec& spec, Settings& settings, Problems& problems,
               std::string_view noun = "parameter");

}  // namespace schedbench::config
