#pragma once

#include "tests/cli/process.hpp"

#include <fmt/core.h>

#include <string>
#include <vector>

namespace schedbench::tests {

// Returns how the files of the folder break the schemas of their kinds. Pairs of a file and a kind;
// one interpreter for all.
inline std::string WhyInvalid(const ScratchFolder& folder,
                              const std::vector<std::string>& files_and_kinds) {
  std::vector<std::string> command{
      "python3", "-W", "ignore", "-c", R"(
import json, jsonschema, sys
for file, kind in zip(sys.argv[2::2], sys.argv[3::2]):
    schema = json.load(open(f"{sys.argv[1]}/{kind}.schema.json"))
    validator = jsonschema.validators.validator_for(schema)
    validator.check_schema(schema)
    for error in validator(schema).iter_errors(json.load(open(file))):
        print(file, list(error.absolute_path), error.message))", std::string(SCHEDBENCH_SOURCE_DIR) + "/docs/schema"};
  command.insert(command.end(), files_and_kinds.begin(), files_and_kinds.end());
  const Finished checked = Execute(command, {.folder = folder.Path()});
  return checked.error + checked.out +
         (checked.code == 0 ? "" : fmt::format("code {}", checked.code));
}

// Returns the example of a kind in docs/formats.md. `language`: "json" or "csv".
inline std::string DocumentedExample(const std::string& kind, const std::string& language) {
  const std::string document =
      Execute({"cat", std::string(SCHEDBENCH_SOURCE_DIR) + "/docs/formats.md"}).out;
  const std::string fence = "\n```" + language + "\n";
  const std::size_t start =
      document.find(fence, document.find(fmt::format("\n### Example of {}\n", kind))) +
      fence.size();
  return document.substr(start, document.find("```", start) - start);
}

}  // namespace schedbench::tests
