#include "cli/flags/workload_files.hpp"

#include "cli/flags/grid.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/value_list.hpp"
#include "config/file_fields.hpp"
#include "config/schema.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace schedbench::cli {

namespace {

void AddFiles(const std::string& workload, std::span<const std::string> overs,
              std::vector<std::string>& files) {
  config::Problems ignored;
  const auto choice = ChooseWorkload(workload, ignored);
  if (!choice) {
    return;
  }
  std::ranges::move(config::FilesOf(choice->parameters), std::back_inserter(files));
  for (const std::string_view over : overs) {
    const std::size_t sign = std::min(over.find('='), over.size());
    std::string_view key = over.substr(0, sign);
    if (key.starts_with(kWorkloadPrefix)) {
      key.remove_prefix(kWorkloadPrefix.size());
    }
    const config::Leaf* const leaf = choice->parameters.GetSchema().FindLeaf(key);
    if (leaf != nullptr && leaf->field->kind == config::Kind::kFile && sign < over.size()) {
      std::ranges::move(ParseValueList(over.substr(sign + 1)).values, std::back_inserter(files));
    }
  }
}

}  // namespace

std::vector<std::string> FilesOfWorkloads(std::span<const Flag> flags, Names words_are,
                                          const Arguments& arguments) {
  std::vector<std::string> workloads;
  std::vector<std::string> overs;
  for (const Flag& flag : flags) {
    if (flag.names == Names::kWorkload || flag.names == Names::kWorkloadOrSuite) {
      std::ranges::move(arguments.Values(flag), std::back_inserter(workloads));
    } else if (flag.names == Names::kSweepKey) {
      std::ranges::move(arguments.Values(flag), std::back_inserter(overs));
    }
  }
  if (words_are == Names::kAudited && !arguments.words.empty()) {
    workloads.push_back(arguments.words.front());
  }
  std::vector<std::string> files;
  for (const std::string& workload : workloads) {
    AddFiles(workload, overs, files);
  }
  return files;
}

}  // namespace schedbench::cli
