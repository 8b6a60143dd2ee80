#include "history/bisect.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace schedbench::history {

namespace {

using Fields = std::vector<std::size_t>;

// Cuts the fields into `count` parts of about equal size.
std::vector<Fields> Parts(const Fields& fields, std::size_t count) {
  std::vector<Fields> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const auto begin = static_cast<std::ptrdiff_t>(i * fields.size() / count);
    const auto end = static_cast<std::ptrdiff_t>((i + 1) * fields.size() / count);
    parts.emplace_back(fields.begin() + begin, fields.begin() + end);
  }
  return parts;
}

Fields Without(const Fields& fields, const Fields& part) {
  Fields rest;
  std::ranges::set_difference(fields, part, std::back_inserter(rest));
  return rest;
}

}  // namespace

std::vector<std::size_t> MinimalCause(
    std::size_t fields, const std::function<Nearer(const std::vector<std::size_t>& chosen)>& test) {
  std::map<Fields, bool> known;
  const auto is_bad = [&](const Fields& chosen) {
    const auto found = known.find(chosen);
    if (found != known.end()) {
      return found->second;
    }
    const bool bad = test(chosen) == Nearer::kBad;
    known.emplace(chosen, bad);
    return bad;
  };
  Fields cause(fields);
  std::iota(cause.begin(), cause.end(), 0);
  std::size_t granularity = 2;
  while (cause.size() > 1) {
    const std::vector<Fields> parts = Parts(cause, std::min(granularity, cause.size()));
    const auto bad = std::ranges::find_if(parts, is_bad);
    if (bad != parts.end()) {
      cause = Fields(*bad);
      granularity = 2;
      continue;
    }
    const auto needless =
        parts.size() == 2 ? parts.end() : std::ranges::find_if(parts, [&](const Fields& part) {
          return is_bad(Without(cause, part));
        });
    if (needless != parts.end()) {
      cause = Without(cause, *needless);
      granularity = std::max<std::size_t>(granularity - 1, 2);
      continue;
    }
    if (parts.size() == cause.size()) {
      break;
    }
    granularity = std::min(2 * granularity, cause.size());
  }
  return cause;
}

FirstBad FindFirstBad(std::size_t count, const std::function<Nearer(std::size_t revision)>& test) {
  std::size_t first = 0;         // all earlier ones are good
  std::size_t last = count - 1;  // is bad
  std::vector<std::size_t> skipped;
  for (;;) {
    // Choose the revision next to the middle that was not skipped.
    const std::size_t middle = first + (last - first) / 2;
    std::size_t chosen = last;
    for (std::size_t i = first; i < last; ++i) {
      const auto distance = [middle](std::size_t place) {
        return place > middle ? place - middle : middle - place;
      };
      const bool is_skipped = std::ranges::find(skipped, i) != skipped.end();
      if (!is_skipped && (chosen == last || distance(i) < distance(chosen))) {
        chosen = i;
      }
    }
    if (chosen == last) {
      break;
    }
    switch (test(chosen)) {
      case Nearer::kGood:
        first = chosen + 1;
        break;
      case Nearer::kBad:
        last = chosen;
        break;
      default:
        skipped.push_back(chosen);
        break;
    }
  }
  std::erase_if(skipped, [first, last](std::size_t one) { return one < first || one >= last; });
  std::ranges::sort(skipped);
  return {.first = first, .last = last, .skipped = std::move(skipped)};
}

}  // namespace schedbench::history
