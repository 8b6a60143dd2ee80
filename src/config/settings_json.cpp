#include "config/settings_json.hpp"

#include "config/apply_json.hpp"
#include "config/json_document.hpp"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <variant>

namespace schedbench::config {

nlohmann::ordered_json ToJson(const Settings& settings) {
  nlohmann::ordered_json root = nlohmann::ordered_json::object();
  ForEachLeaf(settings, [&](const std::string& path, const Value& value) {
    nlohmann::ordered_json* object = &root;
    std::size_t start = 0;
    for (std::size_t dot = path.find('.'); dot != path.npos; dot = path.find('.', start)) {
      object = &(*object)[path.substr(start, dot - start)];
      start = dot + 1;
    }
    std::visit([&](const auto& held) { (*object)[path.substr(start)] = held; }, value);
  });
  return root;
}

Settings SettingsFromJson(const Schema& schema, const std::string& object, const std::string& name,
                          Problems& problems) {
  Settings settings(schema);
  if (const auto document = JsonDocument::Parse(object, name, problems)) {
    ApplyJson(*document, document->Root(), settings, problems);
  }
  return settings;
}

std::string JsonString(std::string_view text) {
  using nlohmann::ordered_json;
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace schedbench::config
