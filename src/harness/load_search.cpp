#include "harness/load_search.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <cmath>

namespace schedbench::harness {

namespace {

double FourDigits(double rate) {
  const double unit = std::pow(10, std::floor(std::log10(rate)) - 3);
  return std::round(rate / unit) * unit;
}

class Search {
 public:
  Search(const LoadRange& range, const std::function<std::optional<bool>(double)>& holds)
      : range_(range),
        holds_(holds) {
  }

  LoadBounds Do() {
    while (!bounds_) {
      Try(Next());
    }
    return *bounds_;
  }

 private:
  double Next() const {
    if (!low_ && !high_) {
      return range_.first;
    }
    if (!high_) {
      return std::min(FourDigits(step_ * *low_), range_.highest);
    }
    if (!low_) {
      return std::max(FourDigits(*high_ / step_), range_.lowest);
    }
    return FourDigits(std::sqrt(*low_ * *high_));
  }

  void Try(double rate) {
    const std::optional<bool> holds = holds_(rate);
    step_ = probes_ == 0 ? range_.step : std::min(step_ * step_, std::max(2.0, range_.step));
    ++probes_;
    if (!holds) {
      End(LoadEnding::kStopped);
      return;
    }
    (*holds ? low_ : high_) = rate;
    if (low_ && high_) {
      // Closer than four digits can distinguish is close enough at any resolution.
      const double middle = Next();
      if (*high_ <= *low_ * range_.resolution || middle <= *low_ || middle >= *high_) {
        End(LoadEnding::kFound);
        return;
      }
    } else if (low_ && *low_ >= range_.highest) {
      End(LoadEnding::kAlwaysHolds);
      return;
    } else if (high_ && *high_ <= range_.lowest) {
      End(LoadEnding::kNeverHolds);
      return;
    }
    if (probes_ == range_.max_probes) {
      End(LoadEnding::kOutOfProbes);
    }
  }

  void End(LoadEnding ending) {
    bounds_ = LoadBounds{.holds = low_, .fails = high_, .ending = ending};
  }

  const LoadRange& range_;
  const std::function<std::optional<bool>(double)>& holds_;
  int probes_ = 0;
  double step_ = 2;
  std::optional<double> low_;   // the largest that held; all tried above it failed
  std::optional<double> high_;  // the smallest that failed; all tried below it held
  std::optional<LoadBounds> bounds_;
};

}  // namespace

LoadBounds FindLargestLoad(const LoadRange& range,
                           const std::function<std::optional<bool>(double rate)>& holds) {
  SB_ASSERT(range.lowest > 0 && range.lowest <= range.first && range.first <= range.highest,
            "a range of rates with the first one inside");
  return Search(range, holds).Do();
}

}  // namespace schedbench::harness
