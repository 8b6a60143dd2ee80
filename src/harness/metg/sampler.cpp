#include "base/vector_of.hpp"
#include "harness/metg/metg.hpp"
#include "platform/time/clock.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace schedbench::harness {

namespace {

constexpr std::uint32_t kSearchBlocks = 2;
constexpr std::uint32_t kProbeBlocks = 3;
constexpr int kMostProbes = 5;
// Ascending factors of the estimate. The result is between two although the search is coarse.
constexpr std::array kAround{0.5, 0.70710678, 1.0, 1.41421356, 2.0};

class MetgSampler {
 public:
  MetgSampler(const MetgPlan& plan, const MetgEvents& events)
      : plan_(plan),
        events_(events) {
    data_.curves.resize(plan.workloads.size() * plan.alternatives.size());
    data_.complete = true;
  }

  MetgData Sample() {
    Search();
    if (data_.complete && !data_.out_of_budget) {
      MeasureAround();
    }
    return std::move(data_);
  }

 private:
  struct Place {
    std::size_t curve;
    std::uint64_t grain_ns;
  };

  void Search() {
    for (const std::uint64_t grain : plan_.grains) {
      std::vector<Place> places;
      for (std::size_t curve = 0; curve < data_.curves.size(); ++curve) {
        if (NeedsMore(curve)) {
          places.push_back({.curve = curve, .grain_ns = grain});
        }
      }
      if (places.empty() || !data_.complete || data_.out_of_budget) {
        return;
      }
      Measure(places, kSearchBlocks, grain);
    }
  }

  bool NeedsMore(std::size_t curve) const {
    const std::vector<MetgPoint>& points = data_.curves[curve];
    if (points.empty()) {
      return true;
    }
    const auto efficiency = EfficiencyOf(plan_, points.back());
    return efficiency && efficiency->median < plan_.efficiency;
  }

  // Probes the grains around each estimate until they enclose the result, because the search may
  // have been disturbed. Then measures them in all blocks.
  void MeasureAround() {
    auto estimates = VectorOf(data_.curves, [&](const auto& points) { return EstimateOf(points); });
    std::vector<bool> settled(estimates.size(), false);
    for (int probe = 0; probe < kMostProbes; ++probe) {
      std::vector<Place> places;
      for (std::size_t curve = 0; curve < estimates.size(); ++curve) {
        if (estimates[curve] && !settled[curve]) {
          AddAround(curve, *estimates[curve], places);
        }
      }
      if (places.empty()) {
        break;
      }
      const std::vector<std::optional<double>> measured = Probed(places);
      if (!data_.complete || data_.out_of_budget) {
        return;
      }
      for (std::size_t curve = 0; curve < estimates.size(); ++curve) {
        if (estimates[curve] && !settled[curve]) {
          settled[curve] = Refine(curve, places, measured, estimates[curve]);
        }
      }
    }
    std::vector<Place> places;
    for (std::size_t curve = 0; curve < estimates.size(); ++curve) {
      if (estimates[curve]) {
        AddAround(curve, *estimates[curve], places);
      }
    }
    if (!places.empty()) {
      Measure(places, plan_.blocks, std::nullopt);
    }
  }

  static void AddAround(std::size_t curve, double estimate, std::vector<Place>& places) {
    std::uint64_t last = 0;
    for (const double factor : kAround) {
      const auto grain = static_cast<std::uint64_t>(std::llround(estimate * factor));
      if (grain > last) {
        places.push_back({.curve = curve, .grain_ns = grain});
        last = grain;
      }
    }
  }

  // Returns the efficiency of each point.
  std::vector<std::optional<double>> Probed(const std::vector<Place>& places) {
    Measure(places, kProbeBlocks, places.front().grain_ns);
    std::vector<std::optional<double>> measured;
    for (const Place& place : places) {
      const std::vector<MetgPoint>& points = data_.curves[place.curve];
      const auto found = std::find_if(points.rbegin(), points.rend(), [&](const MetgPoint& point) {
        return point.grain_ns == place.grain_ns;
      });
      measured.push_back(Mapped(EfficiencyOf(plan_, *found), &Spread::median));
    }
    return measured;
  }

  // Moves the estimate of a curve to where its probe is nearest to the efficiency, assuming a
  // constant overhead of each task. Drops a failed curve's estimate. Returns whether the former
  // estimate's grains are right: the result is between the second and the last but one.
  bool Refine(std::size_t curve, const std::vector<Place>& places,
              const std::vector<std::optional<double>>& measured,
              std::optional<double>& estimate) const {
    double nearest = 2;
    std::uint64_t grain = 0;
    double efficiency = 0;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (places[i].curve != curve) {
        continue;
      }
      if (!measured[i]) {
        estimate.reset();
        return true;
      }
      if (std::abs(*measured[i] - plan_.efficiency) < nearest) {
        nearest = std::abs(*measured[i] - plan_.efficiency);
        grain = places[i].grain_ns;
        efficiency = std::clamp(*measured[i], 0.01, 0.999);
      }
    }
    const double overhead = static_cast<double>(grain) * (1 - efficiency) / efficiency;
    const double next = std::max(overhead * plan_.efficiency / (1 - plan_.efficiency), 1.0);
    const bool is_right = next >= *estimate * kAround[1] && next <= *estimate * kAround[3];
    estimate = next;
    return is_right;
  }

  // Returns where the search crosses the efficiency, on a log scale of grains, or none.
  std::optional<double> EstimateOf(const std::vector<MetgPoint>& points) const {
    if (points.size() < 2) {
      return std::nullopt;
    }
    const auto low = EfficiencyOf(plan_, points[points.size() - 2]);
    const auto high = EfficiencyOf(plan_, points.back());
    if (!low || !high || high->median < plan_.efficiency) {
      return std::nullopt;
    }
    const double share = (plan_.efficiency - low->median) / (high->median - low->median);
    const auto from = std::log(static_cast<double>(points[points.size() - 2].grain_ns));
    const auto to = std::log(static_cast<double>(points.back().grain_ns));
    return std::exp(from + share * (to - from));
  }

  void Measure(const std::vector<Place>& places, std::uint32_t blocks,
               std::optional<std::uint64_t> searched) {
    auto plan = PlanLike<ExperimentPlan>(plan_, blocks);
    plan.shuffles = true;
    if (plan_.budget) {
      const std::chrono::nanoseconds passed(platform::ElapsedNs(start_ns_));
      plan.budget = std::max(*plan_.budget - passed, std::chrono::nanoseconds::zero());
    }
    for (const Place& place : places) {
      plan.groups.push_back(GroupOf(place));
    }
    ExperimentData measured = harness::Measure(plan, {.progress =
                                                          [&](const ExperimentProgress& progress) {
                                                            events_.progress(searched, progress);
                                                          },
                                                      .cancelled = events_.cancelled,
                                                      .measure_block = events_.measure_block});
    for (std::size_t i = 0; i < places.size(); ++i) {
      data_.curves[places[i].curve].push_back({.grain_ns = places[i].grain_ns,
                                               .fine = !searched.has_value(),
                                               .series = std::move(measured.Cell(i))});
    }
    data_.complete = measured.complete;
    data_.out_of_budget = measured.out_of_budget;
    data_.Add(measured.Counts());
  }

  Group GroupOf(const Place& place) const {
    const std::size_t alternatives = plan_.alternatives.size();
    Group group{.workload = plan_.workloads[place.curve / alternatives],
                .alternatives = {plan_.alternatives[place.curve % alternatives]},
                .cells = {0}};
    auto parameters = nlohmann::ordered_json::parse(group.workload.parameters);
    parameters[std::string(kGrainParameter)] = place.grain_ns;
    group.workload.parameters = parameters.dump();
    return group;
  }

  const MetgPlan& plan_;
  const MetgEvents& events_;
  MetgData data_;
  const std::uint64_t start_ns_ = platform::NowNs();
};

}  // namespace

MetgData SampleMetg(const MetgPlan& plan, const MetgEvents& events) {
  return MetgSampler(plan, events).Sample();
}

}  // namespace schedbench::harness
