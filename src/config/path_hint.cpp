#include "config/path_hint.hpp"

#include "base/vector_of.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>

#include <optional>

namespace schedbench::config {

namespace {

std::string_view LastStep(std::string_view path) {
  const std::size_t dot = path.rfind('.');
  return dot == path.npos ? path : path.substr(dot + 1);
}

// Returns the leaf that the user means if the group is missing or wrong.
std::optional<std::string_view> NearestByLastStep(std::string_view path, const Schema& schema) {
  const auto steps = VectorOf<std::string_view>(
      schema.Leaves(), [](const auto& leaf) { return LastStep(leaf.path); });
  const auto nearest = Nearest(LastStep(path), steps);
  for (const Leaf& leaf : schema.Leaves()) {
    if (nearest && LastStep(leaf.path) == *nearest) {
      return leaf.path;
    }
  }
  return std::nullopt;
}

}  // namespace

std::string FieldHint(std::string_view key, const Schema& schema,
                      const std::vector<std::string_view>& others) {
  std::vector<std::string_view> known = schema.FieldNames();
  known.insert(known.end(), others.begin(), others.end());
  if (!Nearest(key, known)) {
    if (const auto nearest = NearestByLastStep(key, schema)) {
      return fmt::format("; did you mean '{}'?", *nearest);
    }
  }
  return DidYouMean(key, known);
}

std::string PathHint(std::string_view path, const Schema& schema) {
  const std::vector<std::string_view> known = schema.LeafPaths();
  if (!Nearest(path, known)) {
    if (const auto nearest = NearestByLastStep(path, schema)) {
      return fmt::format("; did you mean '{}'?", *nearest);
    }
  }
  return DidYouMean(path, known);
}

std::string KnownFields(const Schema& schema) {
  std::string names;
  for (const std::string_view name : schema.FieldNames()) {
    names += names.empty() ? "" : ", ";
    names += name;
  }
  return names.empty() ? "; it has no fields" : fmt::format("; fields: {}", names);
}

}  // namespace schedbench::config
