#include "config/value.hpp"

#include <fmt/format.h>

namespace schedbench::config {

std::string ToText(const Value& value) {
  return std::visit([](const auto& held) { return fmt::format("{}", held); }, value);
}

}  // namespace schedbench::config
