#include "config/json_string.hpp"

#include <nlohmann/json.hpp>

namespace schedbench::config {

std::string JsonString(std::string_view text) {
  using nlohmann::ordered_json;
  return ordered_json(text).dump(-1, ' ', false, ordered_json::error_handler_t::replace);
}

}  // namespace schedbench::config
