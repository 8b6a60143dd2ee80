#include "cli/flags/arguments.hpp"

#include <algorithm>

namespace schedbench::cli {

bool Arguments::Has(const Flag& flag) const {
  return values.contains(flag.name);
}

bool Arguments::IsBeforeWords(const Flag& flag) const {
  const auto first = std::ranges::find_if(
      order, [&flag](const std::string& name) { return name.empty() || name == flag.name; });
  return first != order.end() && *first == flag.name;
}

std::vector<std::string> Arguments::Values(const Flag& flag) const {
  if (const auto found = values.find(flag.name); found != values.end()) {
    return found->second;
  }
  return flag.default_value.empty() ? std::vector<std::string>()
                                    : std::vector{std::string(flag.default_value)};
}

std::string PlaceOf(const Flag& flag, const Arguments& arguments) {
  return PlaceOf(flag, arguments.Values(flag).back());
}

void RefuseFlags(const Arguments& arguments, std::span<const Flag> flags,
                 const std::string& message, config::Problems& problems) {
  for (const Flag& flag : flags) {
    if (arguments.Has(flag)) {
      Reject(problems, flag, "{}", message);
    }
  }
}

}  // namespace schedbench::cli
