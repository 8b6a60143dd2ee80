#include "history/leaves.hpp"

#include "config/json_document.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace schedbench::history {

namespace {

using nlohmann::ordered_json;

std::string Text(const ordered_json& value) {
  return value.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

void Collect(const ordered_json& object, const std::string& before, Leaves& leaves) {
  for (const auto& [name, value] : object.items()) {
    if (value.is_object() && !value.empty()) {
      Collect(value, before + name + ".", leaves);
    } else {
      leaves.emplace_back(before + name, Text(value));
    }
  }
}

}  // namespace

bool IsObject(const std::string& text) {
  constexpr std::size_t kDeepest = 32;  // arbitrary
  return !config::NestsDeeperThan(text, kDeepest) &&
         ordered_json::parse(text, nullptr, false).is_object();
}

Leaves LeavesOf(const std::string& object) {
  Leaves leaves;
  Collect(ordered_json::parse(object), "", leaves);
  return leaves;
}

Leaves WithoutDefaults(const Leaves& leaves, const Leaves& defaults) {
  Leaves rest;
  std::ranges::copy_if(leaves, std::back_inserter(rest), [&defaults](const auto& leaf) {
    return std::ranges::find(defaults, leaf) == defaults.end();
  });
  return rest;
}

std::string NestedJson(const Leaves& leaves) {
  ordered_json root = ordered_json::object();
  for (const auto& [path, value] : leaves) {
    ordered_json* object = &root;
    std::string_view rest = path;
    for (std::size_t dot = rest.find('.'); dot != std::string_view::npos; dot = rest.find('.')) {
      object = &(*object)[std::string(rest.substr(0, dot))];
      rest.remove_prefix(dot + 1);
    }
    (*object)[std::string(rest)] = ordered_json::parse(value);
  }
  return Text(root);
}

std::string FlatJson(const Leaves& leaves) {
  ordered_json root = ordered_json::object();
  for (const auto& [path, value] : leaves) {
    root[path] = ordered_json::parse(value);
  }
  return Text(root);
}

std::string SpecOf(const std::string& name, const Leaves& leaves) {
  std::string text = name;
  for (const auto& [path, value] : leaves) {
    const bool is_text = value.size() >= 2 && value.front() == '"';
    text += (text.size() == name.size() ? ":" : ",") + path + "=" +
            (is_text ? value.substr(1, value.size() - 2) : value);
  }
  return text;
}

Leaves LeavesOfSpec(std::string_view spec) {
  Leaves leaves;
  std::string_view rest = spec.substr(std::min(spec.find(':'), spec.size()));
  while (!rest.empty()) {
    rest.remove_prefix(1);
    const std::string_view setting = rest.substr(0, rest.find(','));
    rest.remove_prefix(setting.size());
    const std::size_t equals = std::min(setting.find('='), setting.size());
    const std::string value(setting.substr(std::min(equals + 1, setting.size())));
    leaves.emplace_back(setting.substr(0, equals),
                        ordered_json::accept(value) ? value : Text(value));
  }
  return leaves;
}

}  // namespace schedbench::history
