#include "tests/record/schema.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace schedbench::record {

namespace {

using Kind = Type::Kind;

Json SchemaOf(const Type& type, const Limits& limits, Json& definitions);

// Adds null to what a schema admits.
void Nullable(Json& schema) {
  if (schema.contains("type") && schema["type"].is_string()) {
    schema["type"] = {schema["type"], "null"};
  } else if (schema.contains("enum")) {
    schema["enum"].push_back(nullptr);
  } else if (!schema.contains("type")) {
    schema = {{"anyOf", {{{"type", "null"}}, std::move(schema)}}};
  }
}

Json NamesSchema(std::span<const std::string_view> names) {
  return names.size() == 1 ? Json{{"const", names.front()}} : Json{{"enum", names}};
}

void AddKeys(const Record& record, Json& schema, Json& definitions) {
  for (const KeyInfo& key : record.Keys()) {
    if (key.name != kInline) {
      Json value = SchemaOf(*key.type, key.limits, definitions);
      if (key.limits.presence == kNull) {
        Nullable(value);
      }
      Json& property = schema["properties"][key.name];
      if (*key.doc != '\0') {
        property["description"] = key.doc;
      }
      property.update(value);
      if (key.limits.presence == kRequired || key.limits.presence == kNull) {
        schema["required"].push_back(key.name);
      }
      continue;
    }
    const Type& type = key.type->kind == Kind::kOptional ? *key.type->element : *key.type;
    if (type.kind == Kind::kRecord) {
      const Json required = schema["required"];
      AddKeys(type.record(), schema, definitions);
      if (key.type->kind == Kind::kOptional) {
        schema["required"] = required;
      }
    } else {
      schema["additionalProperties"] = SchemaOf(*type.element, key.limits, definitions);
      if (*key.doc != '\0') {
        schema["additionalProperties"]["description"] = key.doc;
      }
    }
  }
}

Json ObjectSchema(const Record& record, Json& definitions) {
  Json schema{{"type", "object"},
              {"properties", Json::object()},
              {"required", Json::array()},
              {"additionalProperties", false}};
  AddKeys(record, schema, definitions);
  return schema;
}

Json Reference(const Record& record, Json& definitions) {
  if (!definitions.contains(record.Name())) {
    definitions[record.Name()] = nullptr;  // a record may contain itself
    Json schema = ObjectSchema(record, definitions);
    definitions[record.Name()] = std::move(schema);
  }
  return {{"$ref", fmt::format("#/$defs/{}", record.Name())}};
}

Json CountSchema(const Limits& limits, bool is_count) {
  if (limits.least == limits.most) {
    return {{"const", limits.least}};
  }
  Json schema{{"type", "integer"}};
  if (is_count || limits.least > 0) {
    schema["minimum"] = limits.least;
  }
  if (limits.most != std::numeric_limits<std::uint64_t>::max()) {
    schema["maximum"] = limits.most;
  }
  return schema;
}

Json SchemaOf(const Type& type, const Limits& limits, Json& definitions) {
  switch (type.kind) {
    case Kind::kBool:
      return {{"type", "boolean"}};
    case Kind::kCount:
    case Kind::kInteger:
      return CountSchema(limits, type.kind == Kind::kCount);
    case Kind::kNumber: {
      Json schema{{"type", {"number", "null"}}};
      if (limits.from_0) {
        schema["minimum"] = 0;
      }
      return schema;
    }
    case Kind::kText:
      return !type.names.empty()      ? NamesSchema(type.names)
             : !limits.one_of.empty() ? NamesSchema(limits.one_of)
                                      : Json{{"type", "string"}};
    case Kind::kOptional: {
      Json schema = SchemaOf(*type.element, limits, definitions);
      if (limits.presence != kOmitted) {
        Nullable(schema);
      }
      return schema;
    }
    case Kind::kArray:
      return {{"type", "array"}, {"items", SchemaOf(*type.element, limits, definitions)}};
    case Kind::kMap:
      return {{"type", "object"},
              {"additionalProperties", SchemaOf(*type.element, limits, definitions)}};
    case Kind::kRecord:
      return Reference(type.record(), definitions);
    case Kind::kObject:
      break;
  }
  return {{"type", "object"}};
}

std::string TypeText(const Type& type, const Limits& limits) {
  switch (type.kind) {
    case Kind::kBool:
      return "true or false";
    case Kind::kCount:
    case Kind::kInteger:
      return "whole number";
    case Kind::kNumber:
      return "number";
    case Kind::kText: {
      const auto names = type.names.empty() ? limits.one_of : type.names;
      return names.empty() ? "text" : fmt::format("`{}`", fmt::join(names, "`, `"));
    }
    case Kind::kOptional:
      return TypeText(*type.element, limits) + " or null";
    case Kind::kArray:
      return fmt::format("array: {}", TypeText(*type.element, limits));
    case Kind::kMap:
      return fmt::format("object: {} by name", TypeText(*type.element, limits));
    case Kind::kRecord:
      return type.record().Name();
    case Kind::kObject:
      break;
  }
  return "object";
}

// Returns the text of a value: on one line if it fits after `column` characters, otherwise with a
// line for each element.
std::string Shown(const Json& json, std::size_t indent, std::size_t column) {
  constexpr std::size_t kWidth = 120;
  if (!json.is_structured() || json.empty()) {
    return json.dump();
  }
  std::vector<std::string> parts;
  for (const auto& [name, value] : json.items()) {
    const std::string key = json.is_object() ? fmt::format("{}: ", Json(name).dump()) : "";
    parts.push_back(key + Shown(value, indent + 2, indent + 2 + key.size() + 1));
  }
  const auto [open, close] = json.is_object() ? std::pair('{', '}') : std::pair('[', ']');
  const std::string line = fmt::format("{}{}{}", open, fmt::join(parts, ", "), close);
  if (column + line.size() <= kWidth && line.find('\n') == std::string::npos) {
    return line;
  }
  const std::string start = fmt::format("\n{:{}}", "", indent + 2);
  return fmt::format("{}{}{}\n{:{}}{}", open, start, fmt::join(parts, "," + start), "", indent,
                     close);
}

// Adds a row for each key. `may_be_required`: false within a part that may be missing.
void AddRows(const Record& record, bool may_be_required, std::string& table) {
  for (const KeyInfo& key : record.Keys()) {
    const Presence presence = key.limits.presence;
    if (key.name != kInline) {
      const bool is_required = presence == kRequired || presence == kNull;
      table += fmt::format("| `{}` | {}{} | {} | {} |\n", key.name, TypeText(*key.type, key.limits),
                           presence == kNull ? " or null" : "",
                           is_required && may_be_required ? "yes" : "no", key.doc);
      continue;
    }
    const bool is_optional = key.type->kind == Kind::kOptional;
    const Type& type = is_optional ? *key.type->element : *key.type;
    if (type.kind == Kind::kRecord) {
      AddRows(type.record(), may_be_required && !is_optional, table);
    } else {
      table += fmt::format("| any other | {} | no | {} |\n", TypeText(*type.element, key.limits),
                           key.doc);
    }
  }
}

// Adds the records inside a record, and counts the kind as one of their users.
void AddParts(const Record& record, const std::string& kind,
              std::map<const Record*, std::set<std::string>>& users,
              std::vector<const Record*>& parts) {
  for (const KeyInfo& key : record.Keys()) {
    const Type* type = key.type;
    while (type->element != nullptr) {
      type = type->element;
    }
    if (type->kind != Kind::kRecord) {
      continue;
    }
    const Record& part = type->record();
    if (key.name != kInline) {
      if (!users.contains(&part)) {
        parts.push_back(&part);
      }
      if (!users[&part].insert(kind).second) {
        continue;
      }
    }
    AddParts(part, kind, users, parts);
  }
}

}  // namespace

std::string SchemaText(const Record& record, const std::string& title,
                       const std::string& description) {
  Json definitions = Json::object();
  Json schema = ObjectSchema(record, definitions);
  Json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
            {"title", title},
            {"description", description}};
  root.update(schema);
  if (!definitions.empty()) {
    root["$defs"] = std::move(definitions);
  }
  return Shown(root, 0, 0) + "\n";
}

std::string KeyTable(const Record& record) {
  std::string table = "| key | type | required | meaning |\n|---|---|---|---|\n";
  AddRows(record, true, table);
  return table;
}

std::string KeysPage(const std::vector<std::pair<std::string, const Record*>>& kinds) {
  // The kinds that each record is a part of, and the parts in the order of their first use.
  std::map<const Record*, std::set<std::string>> users;
  std::vector<const Record*> parts;
  for (const auto& [kind, record] : kinds) {
    AddParts(*record, kind, users, parts);
  }
  std::string page;
  for (const auto& [kind, record] : kinds) {
    page += fmt::format("\n### {}\n\n{}", kind, KeyTable(*record));
    for (const Record* const part : parts) {
      if (users[part] == std::set{kind}) {
        page += fmt::format("\n{}:\n\n{}", part->Name(), KeyTable(*part));
      }
    }
  }
  page += "\n### Parts of several kinds\n";
  for (const Record* const part : parts) {
    if (users[part].size() > 1) {
      page += fmt::format("\n{}:\n\n{}", part->Name(), KeyTable(*part));
    }
  }
  return page;
}

}  // namespace schedbench::record
