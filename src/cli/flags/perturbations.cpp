#include "cli/flags/perturbations.hpp"

#include "config/input_error.hpp"
#include "platform/threads/thread.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <stdexcept>
#include <vector>

namespace schedbench::cli {

Perturbations::Perturbations(const Arguments& arguments) {
  std::vector<std::string> parts;
  if (const auto hogs = arguments.Number(kHogFlag)) {
    try {
      hogs_.emplace(static_cast<std::uint32_t>(*hogs));
    } catch (const std::runtime_error& error) {
      throw config::InputError(fmt::format("{} {}   {}", kHogFlag.name, *hogs, error.what()));
    }
    parts.push_back(fmt::format("{} {}", *hogs, *hogs == 1 ? "hog" : "hogs"));
  }
  if (const auto slack = arguments.Number(kTimerSlackFlag)) {
    platform::SetTimerSlack(*slack);
    parts.push_back(fmt::format("timer slack {} ns", *slack));
  }
  if (arguments.Has(kPinFlag)) {
    platform::PinWorkers();
    parts.emplace_back("pinned workers");
  }
  text_ = fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace schedbench::cli
