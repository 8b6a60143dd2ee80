#include "tests/lint/tree_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::lint {

namespace {

std::vector<std::string> Split(std::string_view path) {
  std::vector<std::string> steps;
  while (true) {
    const std::size_t slash = path.find('/');
    steps.emplace_back(path.substr(0, slash));
    if (slash == std::string_view::npos) {
      return steps;
    }
    path.remove_prefix(slash + 1);
  }
}

// "a/b.hpp" and "a/b.cpp" are one thing.
std::string Stem(std::string_view step) {
  for (const std::string_view ending : {".hpp", ".cpp"}) {
    if (step.ends_with(ending)) {
      step.remove_suffix(ending.size());
    }
  }
  return std::string(step);
}

// The things below one folder, and for each pair of them one include that joins them.
using Graph = std::map<std::string, std::map<std::string, std::string>>;

// Adds the include to the graph of the deepest folder that holds both files. Between two files of
// that folder only what a header includes counts: two sources may use each other's headers.
void AddInclude(std::map<std::string, Graph>& graphs, const std::string& from,
                const std::string& to) {
  const std::vector<std::string> a = Split(from);
  const std::vector<std::string> b = Split(to);
  std::string folder;
  std::size_t i = 0;
  while (i + 1 < a.size() && i + 1 < b.size() && a[i] == b[i]) {
    folder += a[i++] + "/";
  }
  const std::string thing = Stem(a[i]);
  const std::string other = Stem(b[i]);
  const bool both_are_files = i + 1 == a.size() && i + 1 == b.size();
  if (thing != other && !(both_are_files && from.ends_with(".cpp"))) {
    graphs[folder][thing].emplace(other, fmt::format("{} includes {}", from, to));
  }
}

// Whether `to` can be reached from `from`; `path` is then the way.
bool Reaches(const Graph& graph, const std::string& from, const std::string& to,
             std::set<std::string>& seen, std::vector<std::string>& path) {
  const auto edges = graph.find(from);
  if (edges == graph.end() || !seen.insert(from).second) {
    return false;
  }
  for (const auto& [next, include] : edges->second) {
    path.push_back(include);
    if (next == to || Reaches(graph, next, to, seen, path)) {
      return true;
    }
    path.pop_back();
  }
  return false;
}

}  // namespace

Findings FindCycles(const std::vector<SourceFile>& files) {
  std::set<std::string> paths;
  for (const SourceFile& file : files) {
    if (IsProductCode(file.path)) {
      paths.insert(file.path);
    }
  }
  std::map<std::string, Graph> graphs;
  for (const SourceFile& file : files) {
    if (!paths.contains(file.path)) {
      continue;
    }
    for (const std::string& line : file.lines) {
      constexpr std::string_view kInclude = "#include \"";
      if (!line.starts_with(kInclude)) {
        continue;
      }
      const std::string target = line.substr(kInclude.size(), line.rfind('"') - kInclude.size());
      for (const std::string& path : {"src/" + target, target}) {
        if (paths.contains(path)) {
          AddInclude(graphs, file.path, path);
        }
      }
    }
  }
  Findings findings;
  for (const auto& [folder, graph] : graphs) {
    std::set<std::string> reported;
    for (const auto& [thing, edges] : graph) {
      std::set<std::string> seen;
      std::vector<std::string> path;
      if (!reported.contains(thing) && Reaches(graph, thing, thing, seen, path)) {
        reported.insert(seen.begin(), seen.end());
        findings.push_back({folder + thing, 1, fmt::format("a cycle: {}", fmt::join(path, "; "))});
      }
    }
  }
  return findings;
}

TreeNumbers NumbersOf(const std::vector<SourceFile>& files) {
  TreeNumbers numbers;
  std::vector<std::size_t> lengths;
  for (const SourceFile& file : files) {
    if (!IsProductCode(file.path) ||
        !(file.path.ends_with(".hpp") || file.path.ends_with(".cpp"))) {
      continue;
    }
    lengths.push_back(file.lines.size());
    numbers.lines += file.lines.size();
    if (file.lines.size() > numbers.longest_lines) {
      numbers.longest_lines = file.lines.size();
      numbers.longest = file.path;
    }
  }
  numbers.files = lengths.size();
  if (!lengths.empty()) {
    std::ranges::sort(lengths);
    numbers.median_lines = lengths[lengths.size() / 2];
  }
  return numbers;
}

}  // namespace schedbench::lint
