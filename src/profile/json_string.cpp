#include "profile/json_string.hpp"

#include <nlohmann/json.hpp>

namespace schedbench::profile {

std::string JsonString(std::string_view text) {
  using nlohmann::json;
  return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace schedbench::profile
