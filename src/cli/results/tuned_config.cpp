#include "cli/results/tuned_config.hpp"

#include "config/settings_json.hpp"
#include "platform/threads/thread.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <utility>

namespace schedbench::cli {

std::string TunedConfigText(const config::Settings& settings, bool keeps_workers,
                            const report::TuneResult& result) {
  using nlohmann::ordered_json;
  const ordered_json all = config::ToJson(settings);
  const config::Settings defaults(settings.GetSchema());
  ordered_json file{{"scheduler", result.plan.candidates.front().alternative.scheduler}};
  config::ForEachLeaf(settings, [&](const std::string& path, const config::Value& value) {
    const bool is_usual = path == "workers" && !keeps_workers &&
                          value == config::Value(std::uint64_t{platform::AvailableCpus()});
    if (value == defaults.Get(path) || is_usual) {
      return;
    }
    std::string pointer = "/" + path;
    std::ranges::replace(pointer, '.', '/');
    const ordered_json::json_pointer place(pointer);
    file[place] = all.at(place);
  });
  file["x-evidence"] = ordered_json::parse(report::TuneEvidenceJson(result));
  return file.dump(2) + "\n";
}

}  // namespace schedbench::cli
