#include "config/describe.hpp"
#include "config/file_name.hpp"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <variant>

namespace schedbench::config {

namespace {

using nlohmann::ordered_json;

ordered_json ToJson(const Value& value) {
  return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

// Returns all powers, at most 64, because JSON Schema does not have a keyword for powers of two.
ordered_json PowersOfTwo(const FieldInfo& field) {
  ordered_json powers = ordered_json::array();
  const std::uint64_t last = std::get<std::uint64_t>(field.max);
  for (std::uint64_t power = std::get<std::uint64_t>(field.min); power < last; power *= 2) {
    powers.push_back(power);
  }
  powers.push_back(last);
  return powers;
}

ordered_json Object(const Schema& schema);

ordered_json Property(const FieldInfo& field) {
  if (field.kind == Kind::kGroup) {
    ordered_json object{{"description", std::string(field.doc)}};
    object.update(Object(*field.group));
    return object;
  }
  ordered_json property{{"description", std::string(field.doc)},
                        {"default", ToJson(field.default_value)}};
  switch (field.kind) {
    case Kind::kBool:
      property["type"] = "boolean";
      break;
    case Kind::kEnum:
      for (const std::string_view choice : field.choices) {
        property["enum"].push_back(std::string(choice));
      }
      break;
    case Kind::kFile:
      property["type"] = "string";
      property["maxLength"] = FileName::kMaxBytes;
      break;
    default:
      property["type"] = field.kind == Kind::kReal ? "number" : "integer";
      if (field.power_of_two) {
        property["enum"] = PowersOfTwo(field);
      } else {
        property["minimum"] = ToJson(field.min);
        property["maximum"] = ToJson(field.max);
      }
  }
  return property;
}

ordered_json Object(const Schema& schema) {
  ordered_json properties = ordered_json::object();
  for (const FieldInfo& field : schema.Fields()) {
    properties[std::string(field.name)] = Property(field);
  }
  return {{"type", "object"},
          {"properties", std::move(properties)},
          {"patternProperties", {{"^x-", true}}},
          {"additionalProperties", false}};
}

}  // namespace

std::string DescribeAsJsonSchema(const Schema& schema, std::string_view scheduler) {
  ordered_json root{{"$schema", "https://json-schema.org/draft/2020-12/schema"}};
  root.update(Object(schema));
  ordered_json properties{{"$schema", {{"description", "The schema of this file, for editors"}}}};
  if (!scheduler.empty()) {
    properties["scheduler"] = {{"const", std::string(scheduler)}};
  }
  properties.update(root["properties"]);
  root["properties"] = std::move(properties);
  return root.dump(2) + "\n";
}

}  // namespace schedbench::config
