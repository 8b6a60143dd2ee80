#include "cli/results/floor.hpp"

#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "harness/result.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <string_view>

namespace schedbench::cli {

double FloorOf(const Arguments& arguments, const platform::MachineInfo& machine) {
  constexpr std::string_view kSavedBy = "doctor";
  const auto file = arguments.Value(kDoctorFlag.name);
  if (!file) {
    return 0;
  }
  const auto json = ReadResultFile(*file);
  const SavedValue root(*file, json, kSavedBy);
  Differences differences;
  const auto throw_if_any = [&] {
    differences.ThrowIfAny(*file, "Ask the doctor", kSavedBy);
  };
  // Of another version nothing else is known to mean the same.
  differences.Compare("schema_version", root.Count("schema_version"), harness::kSchemaVersion);
  throw_if_any();
  root.At("kind").Require(root.Text("kind") == kSavedBy, "is of another command");
  CompareMachines(root, machine, differences);
  CompareBuilds(root, differences);
  throw_if_any();
  const SavedValue self = root.At("self_comparison");
  if (root.At("complete").Value() != true || !self.Value().is_object() ||
      !self.At("resolution").Value().is_number()) {
    throw config::InputError(
        fmt::format("{} has no A/A run that was finished    schedbench doctor -o FILE.json",
                    config::Quoted(*file)));
  }
  return self.At("resolution").Value().get<double>();
}

}  // namespace schedbench::cli
