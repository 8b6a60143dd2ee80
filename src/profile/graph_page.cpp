#include "profile/graph_page.hpp"

#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "config/settings_json.hpp"
#include "profile/foreign_name.hpp"
#include "profile/page_with_data.hpp"
#include "profile/sampling/code_name.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <numeric>
#include <unordered_map>

namespace schedbench::profile {

namespace {

template <typename T>
std::string NumbersJson(const std::vector<T>& numbers) {
  return fmt::format("[{}]", fmt::join(numbers, ","));
}

// Stacks as a tree: each node once, its parent before it.
class Tree {
 public:
  // Adds the weight of each stack at its end, to the new or the earlier weights.
  void Add(const FoldedStacks& stacks, std::vector<std::uint64_t> Tree::* weights) {
    // Nodes of the last stack: the map is sorted, so the next one begins equally.
    std::vector<std::size_t> way;
    std::vector<std::string_view> last;
    for (const auto& [stack, weight] : stacks) {
      std::vector<std::string_view> frames = Frames(stack);
      std::size_t same = 0;
      while (same < frames.size() && same < last.size() && frames[same] == last[same]) {
        ++same;
      }
      way.resize(same);
      for (std::size_t depth = same; depth < frames.size(); ++depth) {
        way.push_back(
            Node(way.empty() ? -1 : static_cast<std::int64_t>(way.back()), frames[depth]));
      }
      if (!way.empty()) {
        (this->*weights)[way.back()] += weight;
      }
      last = std::move(frames);
    }
  }

  const std::vector<std::string>& Names() const {
    return names_;
  }

  std::vector<std::size_t> frame;
  std::vector<std::int64_t> parent;
  std::vector<std::uint64_t> self;
  std::vector<std::uint64_t> before;

 private:
  static std::vector<std::string_view> Frames(std::string_view stack) {
    std::vector<std::string_view> frames;
    while (!stack.empty()) {
      if (const std::string_view frame = TakePart(stack, ';'); !frame.empty()) {
        frames.push_back(frame);
      }
    }
    return frames;
  }

  std::size_t Node(std::int64_t above, std::string_view name) {
    const auto [known, is_new_name] = id_of_name_.try_emplace(std::string(name), names_.size());
    if (is_new_name) {
      names_.emplace_back(name);
    }
    const std::uint64_t key = static_cast<std::uint64_t>(above + 1) << 32U | known->second;
    const auto [node, is_new] = node_of_.try_emplace(key, frame.size());
    if (is_new) {
      frame.push_back(known->second);
      parent.push_back(above);
      self.push_back(0);
      before.push_back(0);
    }
    return node->second;
  }

  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> id_of_name_;
  std::unordered_map<std::uint64_t, std::size_t> node_of_;  // node by its parent and its name
};

std::string WeightsJson(const std::vector<std::uint64_t>& weights, std::uint64_t scale) {
  std::string json;
  for (const std::uint64_t weight : weights) {
    json += (json.empty() ? "" : ",") + WeightText(weight, scale);
  }
  return "[" + json + "]";
}

std::uint64_t Sum(const std::vector<std::uint64_t>& weights) {
  return std::reduce(weights.begin(), weights.end());
}

std::vector<std::uint64_t> Samples(const std::vector<std::uint64_t>& weights,
                                   std::uint64_t sample_weight) {
  return VectorOf(weights,
                  [&](auto weight) { return (weight + sample_weight / 2) / sample_weight; });
}

std::string GraphJson(const Graph& graph) {
  Tree tree;
  tree.Add(graph.stacks, &Tree::self);
  if (graph.before) {
    tree.Add(*graph.before, &Tree::before);
  }
  std::string names;
  std::string labels;
  std::string kinds;
  bool has_kinds = false;
  for (std::string_view name : tree.Names()) {
    const char mark = TakeMark(name);
    has_kinds = has_kinds || mark != 0;
    kinds += fmt::format("{}\"{}\"", kinds.empty() ? "" : ",",
                         mark == 0 ? "" : std::string_view(&mark, 1));
    names += (names.empty() ? "" : ",") + config::JsonString(name);
    labels += (labels.empty() ? "" : ",") + config::JsonString(FrameLabel(name));
  }
  std::string json = fmt::format(
      R"({{"name":{},"about":{},"unit":{},"names":[{}],"labels":[{}],"frame":{},"parent":{},"self":{},"total":{})",
      config::JsonString(graph.name), config::JsonString(graph.about),
      config::JsonString(graph.unit), names, labels, NumbersJson(tree.frame),
      NumbersJson(tree.parent), WeightsJson(tree.self, graph.scale),
      WeightText(Sum(tree.self), graph.scale));
  if (has_kinds) {
    json += fmt::format(R"(,"kinds":[{}])", kinds);
  }
  if (graph.sample_weight > 0) {
    json += fmt::format(R"(,"samples":{})",
                        NumbersJson(Samples(tree.self, graph.sample_weight * graph.scale)));
  }
  if (graph.before) {
    json += fmt::format(R"(,"before":{},"total_before":{})",
                        WeightsJson(tree.before, graph.before_scale),
                        WeightText(Sum(tree.before), graph.before_scale));
    if (graph.sample_weight > 0) {
      json +=
          fmt::format(R"(,"before_samples":{})",
                      NumbersJson(Samples(tree.before, graph.sample_weight * graph.before_scale)));
    }
  }
  return json + "}";
}

}  // namespace

std::string PageJson(const GraphPage& page) {
  std::string facts;
  for (const auto& [what, text] : page.facts) {
    facts += fmt::format("{}[{},{}]", facts.empty() ? "" : ",", config::JsonString(what),
                         config::JsonString(text));
  }
  std::string graphs;
  for (const Graph& graph : page.graphs) {
    graphs += (graphs.empty() ? "\n" : ",\n") + GraphJson(graph);
  }
  return fmt::format("{{\"version\":1,\"title\":{},\"facts\":[{}],\"graphs\":[{}]}}\n",
                     config::JsonString(page.title), facts, graphs);
}

std::string PageHtml(std::string_view shell, const GraphPage& page) {
  return PageWithData(shell, PageJson(page));
}

}  // namespace schedbench::profile
