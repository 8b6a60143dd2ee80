#include "tests/record/schema.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <limits>
#include <utility>

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
    case Kind::kText:
      return "text";
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
  return root.dump(2) + "\n";
}

std::string KeyTable(const Record& record) {
  std::string table = "| key | type | required | meaning |\n|---|---|---|---|\n";
  for (const KeyInfo& key : record.Keys()) {
    if (key.name == kInline) {
      continue;
    }
    const bool is_required = key.limits.presence == kRequired || key.limits.presence == kNull;
    table += fmt::format("| `{}` | {}{} | {} | {} |\n", key.name, TypeText(*key.type, key.limits),
                         key.limits.presence == kNull ? " or null" : "", is_required ? "yes" : "no",
                         key.doc);
  }
  return table;
}

}  // namespace schedbench::record
