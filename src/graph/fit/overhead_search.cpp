#include "graph/fit/overhead_search.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace schedbench::graph {

namespace {

constexpr std::size_t kPasses = 12;  // measured: few need more than eight
constexpr double kExact = 0.01;      // share of the program's time; less is noise
constexpr double kMost = 1000;  // arbitrary: no step of a scheduler takes longer, or saves more

// Rounds to a tenth of a nanosecond: a few per mille of the time of tasks that compute nothing.
double Rounded(double ns) {
  return std::round(ns * 10) / 10;
}

}  // namespace

OverheadSearch::OverheadSearch(double computations)
    : slope_(-std::max(1.0, computations)) {
}

void OverheadSearch::Add(const Pass& pass) {
  SB_ASSERT(next_ == pass.overhead, "not the overhead that was asked for");
  Narrow(pass);
  if (!passes_.empty()) {
    const Pass& before = passes_.back();
    const double seen = (pass.ErrorNs() - before.ErrorNs()) / (pass.overhead - before.overhead);
    // Noise must not reverse it.
    slope_ = std::clamp(seen, slope_ * 4, slope_ / 4);
  }
  passes_.push_back(pass);
  const double next = BySecant(pass);
  const bool is_known = std::ranges::find(passes_, next, &Pass::overhead) != passes_.end();
  if (std::abs(pass.Error()) < kExact || passes_.size() == kPasses || is_known) {
    next_.reset();
  } else {
    next_ = next;
  }
}

void OverheadSearch::Narrow(const Pass& pass) {
  if (pass.ErrorNs() > 0) {
    slow_ = std::max(slow_.value_or(pass.overhead), pass.overhead);
  } else {
    fast_ = std::min(fast_.value_or(pass.overhead), pass.overhead);
  }
}

double OverheadSearch::BySecant(const Pass& pass) const {
  const double next = Rounded(std::clamp(pass.overhead - pass.ErrorNs() / slope_, -kMost, kMost));
  if (slow_ && fast_ && (next <= *slow_ || next >= *fast_)) {
    return Rounded((*slow_ + *fast_) / 2);
  }
  return next;
}

const OverheadSearch::Pass& OverheadSearch::Best() const {
  SB_ASSERT(!passes_.empty(), "nothing was measured");
  const auto error = [](const Pass& pass) { return std::abs(pass.Error()); };
  const double least = error(*std::ranges::min_element(passes_, {}, error));
  const Pass* best = nullptr;
  for (const Pass& pass : passes_) {
    if (error(pass) <= least + kExact &&
        (best == nullptr || std::abs(pass.overhead) < std::abs(best->overhead))) {
      best = &pass;
    }
  }
  return *best;
}

}  // namespace schedbench::graph
