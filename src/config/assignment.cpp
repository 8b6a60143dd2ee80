#include "config/assignment.hpp"

#include "config/parse_value.hpp"
#include "config/path_hint.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::config {

namespace {

std::string FlagText(std::string_view flag, std::string_view text) {
  return flag.empty() ? Escaped(text) : fmt::format("{} {}", flag, Escaped(text));
}

// Takes the text up to the separator, and removes both; takes all of it without the separator.
std::string_view TakeUpTo(char sign, std::string_view& text) {
  const std::size_t end = std::min(text.find(sign), text.size());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(std::min(end + 1, text.size()));
  return taken;
}

// Returns null if the path is not a group with a field in it.
const Leaf* FirstLeafOfGroup(const Schema& schema, std::string_view path) {
  for (const Leaf& leaf : schema.Leaves()) {
    if (leaf.path.size() > path.size() && leaf.path.starts_with(path) &&
        leaf.path[path.size()] == '.') {
      return &leaf;
    }
  }
  return nullptr;
}

// Returns an assignment that the schema takes, to show its form.
std::string Example(const Schema& schema, std::string_view flag) {
  if (schema.Leaves().empty()) {
    return "";
  }
  const Leaf& leaf = schema.Leaves().front();
  return fmt::format(", such as {} {}={}", flag, leaf.path, ToText(leaf.field->default_value));
}

}  // namespace

bool Assign(Settings& settings, std::string_view path, std::string_view text, const Origin& origin,
            Problems& problems, std::string_view noun) {
  const Schema& schema = settings.GetSchema();
  const auto refuse = [&](std::string message) {
    problems.Add(origin.where, origin.path, std::move(message));
    return false;
  };
  const Leaf* leaf = schema.FindLeaf(path);
  if (leaf == nullptr) {
    if (const Leaf* inside = FirstLeafOfGroup(schema, path)) {
      return refuse(fmt::format("'{}' is a group; set a field of it, such as {}={}", path,
                                inside->path, ToText(inside->field->default_value)));
    }
    // A spec's problem has the key as its path.
    const std::string name = origin.path.empty() ? fmt::format(" {}", Quoted(path)) : "";
    return refuse(fmt::format("unknown {}{}{}", noun, name, PathHint(path, schema)));
  }
  ParsedValue parsed = ParseText(*leaf->field, text);
  if (!parsed.value) {
    return refuse(std::move(parsed.error));
  }
  settings.Set(path, *parsed.value, origin);
  return true;
}

void ApplySet(std::string_view assignment, Settings& settings, Problems& problems,
              std::string_view flag) {
  const Origin origin{FlagText(flag, assignment), ""};
  if (assignment.find('=') == assignment.npos || assignment.starts_with('=')) {
    problems.Add(origin.where, "",
                 fmt::format("expected FIELD=VALUE{}", Example(settings.GetSchema(), flag)));
    return;
  }
  std::string_view value = assignment;
  const std::string_view path = TakeUpTo('=', value);
  Assign(settings, path, value, origin, problems);
}

std::optional<Spec> ParseSpec(std::string_view text, std::string_view flag, Problems& problems) {
  Spec spec;
  spec.where = FlagText(flag, text);
  const std::string form = "expected NAME or NAME:KEY=VALUE,KEY=VALUE";

  std::string_view rest = text;
  const bool has_parameters = text.find(':') != text.npos;
  spec.name = TakeUpTo(':', rest);
  if (spec.name.empty() || spec.name.find_first_of("=,") != std::string::npos) {
    problems.Add(spec.where, "", form);
    return std::nullopt;
  }
  if (!has_parameters) {
    return spec;
  }
  bool well_formed = true;
  const auto refuse = [&](std::string message) {
    problems.Add(spec.where, "", std::move(message));
    well_formed = false;
  };
  // A final comma opens one more, empty, piece.
  for (bool more = true; more && !problems.Full();) {
    more = rest.find(',') != rest.npos;
    const std::string_view piece = TakeUpTo(',', rest);
    std::string_view value = piece;
    const std::string_view key = TakeUpTo('=', value);
    if (key.empty() || piece.find('=') == piece.npos) {
      refuse(fmt::format("{} is not KEY=VALUE; {}", Quoted(piece), form));
      continue;
    }
    const bool twice = std::any_of(spec.parameters.begin(), spec.parameters.end(),
                                   [&](const SpecParameter& other) { return other.key == key; });
    if (twice) {
      refuse(fmt::format("{} is given twice", Quoted(key)));
      continue;
    }
    spec.parameters.push_back({std::string(key), std::string(value)});
  }
  if (!well_formed) {
    return std::nullopt;
  }
  return spec;
}

void ApplySpec(const Spec& spec, Settings& settings, Problems& problems, std::string_view noun) {
  for (const SpecParameter& parameter : spec.parameters) {
    const Origin origin{spec.where, Escaped(parameter.key)};
    Assign(settings, parameter.key, parameter.value, origin, problems, noun);
  }
}

}  // namespace schedbench::config
