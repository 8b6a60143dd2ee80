#include "config/suggest.hpp"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

namespace schedbench::config {

namespace {

// Names are ASCII; letters of other scripts only have to stay as they are.
std::string Lowered(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    if (c >= 'A' && c <= 'Z') {
      c = static_cast<char>(c - 'A' + 'a');
    }
  }
  return result;
}

// The candidates that begin with `name`, case aside; none where that says next to nothing.
std::vector<std::string_view> BeginningWith(std::string_view name,
                                            std::span<const std::string_view> candidates) {
  constexpr std::size_t kMin = 2;
  std::vector<std::string_view> longer;
  for (const std::string_view candidate : candidates) {
    if (name.size() >= kMin && name.size() < candidate.size() &&
        Lowered(candidate.substr(0, name.size())) == Lowered(name)) {
      longer.push_back(candidate);
    }
  }
  return longer;
}

// A third catches the usual slips and keeps unrelated short words apart ("fast" is not "fifo");
// picked by trying the names of this project.
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

std::optional<std::string_view> Nearest(std::string_view name,
                                        std::span<const std::string_view> candidates) {
  std::size_t longest = 0;
  for (const std::string_view candidate : candidates) {
    longest = std::max(longest, candidate.size() + FarthestEdit(candidate));
  }
  if (name.size() > longest) {
    return std::nullopt;  // before it is copied: a user's text has no bound
  }
  const std::string wanted = Lowered(name);
  std::optional<std::string_view> nearest;
  std::size_t least = 0;
  for (const std::string_view candidate : candidates) {
    const std::size_t distance = EditDistance(wanted, Lowered(candidate));
    if (distance == 0) {
      return candidate;
    }
    // Nothing in common is no slip, however short the name.
    const bool near = distance <= FarthestEdit(candidate) && distance < candidate.size();
    if (near && (!nearest || distance < least)) {
      nearest = candidate;
      least = distance;
    }
  }
  return nearest;
}

std::string DidYouMean(std::string_view name, std::span<const std::string_view> candidates) {
  if (const auto nearest = Nearest(name, candidates)) {
    return fmt::format("; did you mean '{}'?", *nearest);
  }
  if (candidates.empty()) {
    return "; there are none";
  }
  const std::vector<std::string_view> longer = BeginningWith(name, candidates);
  if (longer.size() == 1) {
    return fmt::format("; did you mean '{}'?", longer.front());
  }
  if (!longer.empty()) {
    return fmt::format("; so begin: {}", fmt::join(longer, ", "));
  }
  return fmt::format("; known: {}", fmt::join(candidates, ", "));
}

}  // namespace schedbench::config
