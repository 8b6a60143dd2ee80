#include "config/settings.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <variant>

namespace schedbench::config {

namespace {

// Converts "fibers.guard" to "/fibers/guard"; names of fields need no escape.
std::string ToPointer(std::string_view path) {
  std::string pointer = fmt::format("/{}", path);
  std::replace(pointer.begin(), pointer.end(), '.', '/');
  return pointer;
}

// Runs the rules of the struct at `config`, then those of its groups; `prefix` is its dotted path.
void CheckStruct(const Schema& schema, const std::byte* config, const std::string& prefix,
                 Problems& found) {
  if (schema.Check() != nullptr) {
    Problems own;
    schema.Check()(config, own);
    for (Problem problem : own.List()) {
      SB_ASSERT(schema.FindLeaf(problem.path) != nullptr, "Check() names no field of its config");
      problem.path = prefix + problem.path;
      found.Add(std::move(problem));
    }
  }
  for (const FieldInfo& field : schema.Fields()) {
    if (field.kind == Kind::kGroup) {
      CheckStruct(*field.group, config + field.offset, prefix + std::string(field.name) + ".",
                  found);
    }
  }
}

// Returns whether the user chose a field's value, not merely listed it: see Problems::AddUnused.
bool IsChosen(const Settings& settings, std::string_view path) {
  const Origin& origin = settings.OriginOf(path);
  const bool in_flag = !origin.where.empty() && !origin.path.starts_with('/');
  return in_flag || settings.Get(path) != settings.GetSchema().FindLeaf(path)->field->default_value;
}

}  // namespace

Settings::Settings(const Schema& schema)
    : schema_(&schema),
      bytes_(schema.Defaults().begin(), schema.Defaults().end()) {
}

const Leaf& Settings::LeafAt(std::string_view path) const {
  const Leaf* leaf = schema_->FindLeaf(path);
  SB_ASSERT(leaf != nullptr, "no field of this path");
  return *leaf;
}

Value Settings::Get(std::string_view path) const {
  const Leaf& leaf = LeafAt(path);
  return leaf.field->load(bytes_.data() + leaf.offset);
}

void Settings::Set(std::string_view path, const Value& value, Origin origin) {
  const Leaf& leaf = LeafAt(path);
  SB_ASSERT(leaf.field->Admits(value), "a value that the field does not admit");
  leaf.field->store(bytes_.data() + leaf.offset, value);
  origins_.insert_or_assign(leaf.path, std::move(origin));
}

const Origin& Settings::OriginOf(std::string_view path) const {
  static const Origin built_in;
  const auto found = origins_.find(LeafAt(path).path);
  return found == origins_.end() ? built_in : found->second;
}

bool Settings::operator==(const Settings& other) const {
  // Does not compare bytes: a struct may have padding.
  return schema_ == other.schema_ &&
         std::all_of(schema_->Leaves().begin(), schema_->Leaves().end(),
                     [&](const Leaf& leaf) { return Get(leaf.path) == other.Get(leaf.path); });
}

void ForEachLeaf(const Settings& settings,
                 const std::function<void(const std::string& path, const Value& value)>& visit) {
  for (const Leaf& leaf : settings.GetSchema().Leaves()) {
    visit(leaf.path, settings.Get(leaf.path));
  }
}

std::vector<std::string> ChangedFields(const Settings& settings, std::string_view except) {
  const Settings defaults(settings.GetSchema());
  std::vector<std::string> changed;
  ForEachLeaf(settings, [&](const std::string& path, const Value& value) {
    if (path != except && value != defaults.Get(path)) {
      changed.push_back(fmt::format("{}={}", path, ToText(value)));
    }
  });
  return changed;
}

std::string SpecText(std::string_view name, const std::vector<std::string>& fields) {
  return fmt::format("{}{}{}", name, fields.empty() ? "" : ":", fmt::join(fields, ","));
}

void CheckRules(const Settings& settings, Problems& problems) {
  Problems found;
  CheckStruct(settings.GetSchema(), settings.bytes_.data(), "", found);
  for (const Problem& problem : found.List()) {
    if (problem.if_chosen && !IsChosen(settings, problem.path)) {
      continue;
    }
    const Origin& origin = settings.OriginOf(problem.path);
    problems.Add({.where = origin.where,
                  .path = origin.where.empty() ? ToPointer(problem.path) : origin.path,
                  .message = problem.message,
                  .if_chosen = problem.if_chosen});
  }
}

std::vector<std::string> FilesOf(const Settings& settings) {
  std::vector<std::string> files;
  for (const Leaf& leaf : settings.GetSchema().Leaves()) {
    if (leaf.field->kind != Kind::kFile) {
      continue;
    }
    if (auto name = std::get<std::string>(settings.Get(leaf.path)); !name.empty()) {
      files.push_back(std::move(name));
    }
  }
  return files;
}

}  // namespace schedbench::config
