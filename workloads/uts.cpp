#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::workloads {

// The law by which nodes have children.
enum class TreeLaw : std::uint8_t { kBinomial, kGeometric };

constexpr std::array<std::string_view, 2> NamesOf(TreeLaw) {
  return {"binomial", "geometric"};
}

namespace {

struct UtsParameters {
  // clang-format off
  config::Field<"tree", TreeLaw::kBinomial, config::AnyOf{},
      "The law of the tree: binomial (a node has all children or none; deep and unbalanced) or "
      "geometric (a node has any number of children, down to a level)"> tree;
  config::Field<"root_children", 500U, config::Range{1U, 1000000U},
      "binomial: children of the root"> root_children;
  config::Field<"children", 8U, config::Range{2U, 1000U},
      "binomial: children of any other node that has some"> children;
  config::Field<"probability", 0.1225, config::Range{0.0, 0.5}, "binomial: the probability that a "
      "node has children; times children, it is below 1"> probability;
  config::Field<"branching", 4.0, config::Range{0.01, 1000.0},
      "geometric: children that a node has on average"> branching;
  config::Field<"levels", 8U, config::Range{1U, 1000000U},
      "geometric: nodes of this level have no children; the root is level 0"> levels;
  config::Field<"tree_seed", 1U, config::Range{0U, 4294967295U},
      "The tree follows from it, and not from the seed of the run"> tree_seed;
  ForkField<Fork::kStructured> fork;
  // clang-format on

  static void Check(const UtsParameters& parameters, config::Problems& problems) {
    if (parameters.tree == TreeLaw::kGeometric) {
      for (const std::string_view field : {"root_children", "children", "probability"}) {
        problems.AddUnused(field,
                           "a geometric tree has branching and levels; it needs tree=binomial");
      }
      return;
    }
    for (const std::string_view field : {"branching", "levels"}) {
      problems.AddUnused(field, "a binomial tree has no such limit; it needs tree=geometric");
    }
    if (parameters.probability * parameters.children >= 1) {
      problems.Add("probability",
                   fmt::format("{} is not below 1/{}, for children={}: the tree would not end",
                               parameters.probability.value, parameters.children.value,
                               parameters.children.value));
    }
  }
};

// A larger tree is refused, because it may be endless.
constexpr std::uint64_t kMostNodes = 500'000'000;

// A node is a hash, which determines all below it: the tree is neither stored nor known before.
struct Node {
  std::uint64_t hash;
  std::uint32_t level;
};

class Tree {
 public:
  explicit Tree(const UtsParameters& parameters)
      : root_{.hash = MixSeed(parameters.tree_seed), .level = 0},
        is_binomial_(parameters.tree == TreeLaw::kBinomial),
        root_children_(parameters.root_children),
        children_(parameters.children),
        has_children_(HashesBelow(parameters.probability)),
        levels_(parameters.levels) {
    // A node has more than k children with probability r^(k + 1).
    const double r = parameters.branching / (1 + parameters.branching);
    for (double p = r; !is_binomial_ && HashesBelow(p) > 0 && more_than_.size() < kMostChildren;
         p *= r) {
      more_than_.push_back(HashesBelow(p));
    }
  }

  Node Root() const noexcept {
    return root_;
  }

  std::uint32_t ChildrenOf(const Node& node) const noexcept {
    if (is_binomial_) {
      return node.level == 0 ? root_children_ : node.hash < has_children_ ? children_ : 0;
    }
    std::uint32_t count = 0;
    while (node.level < levels_ && count < more_than_.size() && node.hash < more_than_[count]) {
      ++count;
    }
    return count;
  }

  static Node ChildOf(const Node& node, std::uint32_t i) noexcept {
    return {.hash = DeriveSeed(node.hash, i), .level = node.level + 1};
  }

 private:
  // Arbitrary; with branching=1000 more than one node in a billion has that many.
  static constexpr std::size_t kMostChildren = 20'000;

  // Returns the number of hashes that are a fraction `p` of all 2^64.
  static std::uint64_t HashesBelow(double p) noexcept {
    return static_cast<std::uint64_t>(std::ldexp(p, 64));
  }

  Node root_;
  bool is_binomial_;
  std::uint32_t root_children_;
  std::uint32_t children_;
  std::uint64_t has_children_;  // a node with a smaller hash has children
  std::uint32_t levels_;
  // [k]: a node with a smaller hash has more than k children.
  std::vector<std::uint64_t> more_than_;
};

// Counts the nodes of a tree on one thread.
std::uint64_t CountNodes(const Tree& tree) {
  std::uint64_t count = 0;
  std::vector<Node> unvisited{tree.Root()};
  while (!unvisited.empty()) {
    const Node node = unvisited.back();
    unvisited.pop_back();
    ++count;
    const std::uint32_t children = tree.ChildrenOf(node);
    for (std::uint32_t i = 0; i < children; ++i) {
      unvisited.push_back(Tree::ChildOf(node, i));
    }
    if (count + unvisited.size() > kMostNodes) {
      throw std::runtime_error(
          fmt::format("the tree has more than {} nodes    choose less branching, fewer levels, or "
                      "another tree_seed",
                      kMostNodes));
    }
  }
  return count;
}

// Unbalanced Tree Search (Olivier et al., LCPC 2006): visits a tree whose branches differ in size
// by orders of magnitude, which no scheduler can know in advance. The hash of a node is SplitMix64
// instead of SHA-1, so that forks and not hashes are measured; the laws of the trees are the
// paper's. One operation is one node.
class Uts final : public registry::IWorkload {
 public:
  explicit Uts(const UtsParameters& parameters)
      : fork_(parameters.fork),
        tree_(parameters),
        nodes_(CountNodes(tree_)) {
    if (fork_ == Fork::kSpawn) {
      RequireMemoryFor(nodes_, "suspended fibers", Fibers::kBytesPerFiber,
                       "the same tree with fork=structured");
    }
  }

  void Prepare() override {
    visited_ = 0;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, fork_, done_,
             [this](const auto& fork) { visited_ = Visit(fork, tree_.Root()); });
    return visited_;
  }

  std::string Verify() override {
    if (visited_ != nodes_) {
      return fmt::format("{} nodes of the tree were visited, not {}", visited_, nodes_);
    }
    return "";
  }

 private:
  // Visits a node and all below it, and returns their number.
  template <Fork kHow>
  std::uint64_t Visit(ForkBy<kHow> fork, Node node) const {
    std::uint64_t visited = 1;
    std::uint32_t children = tree_.ChildrenOf(node);
    // Nothing is forked on the way down, so no fork would check how much of the stack is left.
    for (; children == 1; ++visited) {
      node = Tree::ChildOf(node, 0);
      children = tree_.ChildrenOf(node);
    }
    return visited +
           fork.Sum(children, [&](std::uint32_t i) { return Visit(fork, Tree::ChildOf(node, i)); });
  }

  const Fork fork_;
  const Tree tree_;
  const std::uint64_t nodes_;
  std::uint64_t visited_ = 0;  // written by the first fiber, read after the round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Uts, UtsParameters> kUts{{
    .name = "uts",
    .doc = "visits all nodes of an unbalanced tree that is not known before",
    .operation = "node",
    .presets = {{"smoke", "root_children=50,probability=0.12"},
                {"small", "root_children=8000,probability=0.1225"},
                {"full", "root_children=2000,probability=0.124875,tree_seed=63"},
                {"geometric", "tree=geometric,levels=10"}},
}};

}  // namespace

}  // namespace schedbench::workloads
