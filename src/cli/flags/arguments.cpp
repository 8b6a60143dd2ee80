#include "cli/flags/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace schedbench::cli {

bool Arguments::Has(const Flag& flag) const {
  return values.contains(flag.name);
}

bool Arguments::IsBeforeWords(const Flag& flag) const {
  const auto first = std::ranges::find_if(order, [&flag](const std::string& name) {
    return name.empty() || name == flag.name;
  });
  return first != order.end() && *first == flag.name;
}

std::optional<std::string> Arguments::Value(const Flag& flag) const {
  const std::vector<std::string> all = Values(flag);
  return all.empty() ? std::nullopt : std::optional(all.back());
}

std::vector<std::string> Arguments::Values(const Flag& flag) const {
  if (const auto found = values.find(flag.name); found != values.end()) {
    return found->second;
  }
  return flag.default_value.empty() ? std::vector<std::string>()
                                    : std::vector{std::string(flag.default_value)};
}

std::optional<std::uint64_t> Arguments::Number(const Flag& flag) const {
  const auto text = Value(flag);
  if (!text) {
    return std::nullopt;
  }
  std::uint64_t number = 0;
  std::from_chars(text->data(), text->data() + text->size(), number);
  return number;
}

std::uint32_t Arguments::Rounds(const Flag& flag, std::uint32_t otherwise) const {
  return static_cast<std::uint32_t>(Number(flag).value_or(otherwise));
}

std::chrono::nanoseconds Arguments::Time(const Flag& flag) const {
  return std::chrono::nanoseconds(std::llround(*ParseNanoseconds(*Value(flag))));
}

double Arguments::Share(const Flag& flag) const {
  return *ParseShare(*Value(flag));
}

}  // namespace schedbench::cli
