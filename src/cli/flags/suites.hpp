#pragma once

#include <span>
#include <string_view>

namespace schedbench::cli {

// A named list of workloads, for `compare --workload suite:NAME`. A round takes milliseconds on our own schedulers, and still
// ends on schedulers that are a hundred times slower.
struct Suite {
  std::string_view name;
  std::string_view doc;  // one line
  std::span<const std::string_view> workloads;
};

std::span<const Suite> Suites();

}  // namespace schedbench::cli
