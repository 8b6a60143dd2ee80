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
  std::string unit;   // unit of the weights: "ns", "us", "samples", or a counted event: "cycles"
  FoldedStacks stacks;
  std::uint64_t sample_weight = 0;     // weight of a sample in `unit`; 0: unknown
  std::optional<FoldedStacks> before;  // earlier stacks: the page colours the difference
  std::uint64_t scale = 1;             // factor of `stacks`: a power of ten
  std::uint64_t before_scale = 1;      // factor of `before`
};

struct GraphPage {
  std::string title;
  // Shown above: what, and how it was measured.
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Graph> graphs;
};

// Returns the data of a page for PageWithData(), version 1 of flamegraph/README.md.
std::string PageJson(const GraphPage& page);

// Returns `shell`, built by `make page`, with the data in its slot, which it must have.
std::string PageHtml(std::string_view shell, const GraphPage& page);

}  // namespace schedbench::profile
