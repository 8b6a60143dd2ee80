#pragma once

#include "profile/folded.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::profile {

// One flame graph: a tab of the page.
struct Graph {
  std::string name;   // "CPU"
  std::string about;  // one sentence
  std::string unit;   // of the weights: "ns", "us", "samples", or what is counted: "cycles"
  FoldedStacks stacks;
  std::uint64_t sample_weight = 0;     // that one sample stands for, in `unit`; 0: not known
  std::optional<FoldedStacks> before;  // what it is compared with: the page colours the difference
  std::uint64_t scale = 1;             // `stacks` are multiplied by it: a power of ten
  std::uint64_t before_scale = 1;      // and `before` by this one
};

struct GraphPage {
  std::string title;
  std::vector<std::pair<std::string, std::string>>
      facts;  // shown above: what, and how it was measured
  std::vector<Graph> graphs;
};

// The data of a page, as flamegraph/README.md describes it: version 1. For PageWithData().
std::string PageJson(const GraphPage& page);

// The page: `shell`, what `make page` has built, with the data in its place. Requires: the shell has the place.
std::string PageHtml(std::string_view shell, const GraphPage& page);

}  // namespace schedbench::profile
