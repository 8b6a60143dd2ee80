#include "cli/flags/history_flags.hpp"

#include "cli/flags/metrics.hpp"
#include "config/input_error.hpp"

#include <cstdlib>
#include <string_view>

namespace schedbench::cli {

std::string UserFolder(const char* variable, const std::string& below, const Flag& instead) {
  // A relative path does not count, by the base directory specification.
  if (const char* const folder = std::getenv(variable);
      folder != nullptr && std::string_view(folder).starts_with('/')) {
    return fmt::format("{}/schedbench", folder);
  }
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') {
    RefuseInput("there is no home folder (HOME is not set)    {} {}", instead.name, instead.value);
  }
  return fmt::format("{}/{}/schedbench", home, below);
}

std::string HistoryPath(const Arguments& arguments) {
  if (const auto path = arguments[kDbFlag]) {
    return *path;
  }
  return UserFolder("XDG_DATA_HOME", ".local/share", kDbFlag) + "/history.db";
}

harness::ComparisonPlan HistoryPlan(const Arguments& arguments, ConfigForm form,
                                    std::uint32_t blocks, config::Problems& problems) {
  harness::ComparisonPlan plan;
  std::vector<std::string> workloads = arguments[kWorkloadsFlag];
  if (workloads.empty()) {
    workloads.emplace_back("pingpong");
  }
  for (const std::string& text : workloads) {
    if (const auto workload = ChooseWorkload(text, problems)) {
      plan.workloads.push_back(Compared(*workload, text, form));
    }
  }
  // --metric has the same name for all commands.
  plan.metrics = MetricsOf(arguments, plan, problems);
  SetExtent(arguments, blocks, plan);
  return plan;
}

}  // namespace schedbench::cli
