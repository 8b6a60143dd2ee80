#pragma once

#include <span>
#include <string_view>

namespace schedbench::cli {

// A list of workloads with a name, for `compare --workload suite:NAME`. Sized so that a round takes milliseconds on our own
// schedulers, and still ends on those that are a hundred times slower.
struct Suite {
  std::string_view name;
  std::string_view doc;  // one line
  std::span<const std::string_view> workloads;
};

std::span<const Suite> Suites();

}  // namespace schedbench::cli
