#include "config/suggest.hpp"

#include "base/vector_of.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

namespace schedbench::config {

namespace {

// Names are ASCII; letters of other scripts remain unchanged.
std::string Lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return result;
}

// Returns whether `candidate` begins with `name`, ignoring case. A single letter does not count.
bool BeginsWith(std::string_view candidate, std::string_view name) {
  constexpr std::size_t kMin = 2;
  return name.size() >= kMin && name.size() < candidate.size() &&
         Lowered(candidate.substr(0, name.size())) == Lowered(name);
}

// A third catches common slips and separates unrelated short words ("fast" is not "fifo"); chosen
// by trying the names of this project.
std::size_t FarthestEdit(std::string_view candidate) {
  return std::max<std::size_t>(1, candidate.size() / 3);
}

}  // namespace

std::size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);  // row i - 2
  std::vector<std::size_t> above(b.size() + 1);   // row i - 1
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) {
    row[j] = j;
  }
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = above[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, replaced});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
  }
  return row.back();
}

namespace {

struct Ranked {
  std::string_view name;
  std::size_t distance;
  bool is_near;       // probably meant
  std::size_t place;  // index among the different candidates
};

// Returns the different candidates, the nearest first.
std::vector<Ranked> Ranking(std::string_view name, std::span<const std::string_view> candidates) {
  std::size_t longest = 0;
  for (const std::string_view candidate : candidates) {
    longest = std::max(longest, candidate.size() + FarthestEdit(candidate));
  }
  // A user's text may have any length: do not copy more than any name has.
  const std::string wanted = Lowered(name.substr(0, longest + 1));
  std::vector<Ranked> ranking;
  for (const std::string_view candidate : candidates) {
    if (std::ranges::find(ranking, candidate, &Ranked::name) != ranking.end()) {
      continue;
    }
    const std::size_t distance = EditDistance(wanted, Lowered(candidate));
    // If nothing matches, it is not a slip, however short the name is.
    const bool is_slip =
        distance == 0 || (distance <= FarthestEdit(candidate) && distance < candidate.size());
    ranking.push_back({.name = candidate,
                       .distance = distance,
                       .is_near = is_slip || BeginsWith(candidate, name),
                       .place = ranking.size()});
  }
  // Equal ones keep the candidates' order: std::stable_sort uses what C++20 deprecates.
  std::ranges::sort(ranking, {}, [](const Ranked& one) {
    return std::tuple(!one.is_near, one.distance, one.place);
  });
  return ranking;
}

}  // namespace

std::optional<std::string_view> Nearest(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  const std::vector<Ranked> ranking = Ranking(name, candidates);
  return ranking.empty() || !ranking.front().is_near ? std::nullopt
                                                     : std::optional(ranking.front().name);
}

std::string OrList(const std::vector<std::string>& items) {
  std::string list = items.front();
  for (std::size_t i = 1; i < items.size(); ++i) {
    list += (i + 1 == items.size() ? " or " : ", ") + items[i];
  }
  return list;
}

std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates,
                       std::size_t few) {
  constexpr std::size_t kShown = 3;
  std::vector<Ranked> shown = Ranking(name, candidates);
  if (shown.empty()) {
    return "; there are none";
  }
  const bool is_near = shown.front().is_near;
  if (!is_near && candidates.size() <= few) {
    return fmt::format("; expected one of {}", fmt::join(candidates, ", "));
  }
  // Keep the nearest one and good guesses: as near, a letter farther, or beginning with the text.
  const std::size_t least = shown.front().distance;
  const bool is_beginning = BeginsWith(shown.front().name, name);
  std::erase_if(shown, [&](const Ranked& one) {
    const bool is_as_good = BeginsWith(one.name, name) ||
                            (!is_beginning && one.distance == least) ||
                            (one.is_near && one.distance == least + 1);
    return is_near && (least == 0 ? one.distance > 0 : !is_as_good);
  });
  shown.resize(std::min(shown.size(), kShown));
  const auto names = VectorOf(shown, [](const auto& one) { return fmt::format("'{}'", one.name); });
  const std::string list = OrList(names);
  return fmt::format("; did you mean {}?", list);
}

}  // namespace schedbench::config
