#include "harness/compare/gate.hpp"

#include "base/assert.hpp"

#include <algorithm>
#include <limits>

namespace schedbench::harness {

namespace {

Relation Contrary(Relation relation) {
  switch (relation) {
    case Relation::kBelow:
      return Relation::kAtLeast;
    case Relation::kAtMost:
      return Relation::kAbove;
    case Relation::kAtLeast:
      return Relation::kBelow;
    case Relation::kAbove:
      return Relation::kAtMost;
  }
  return relation;
}

// Returns whether the whole interval is on this side of the limit.
bool Proves(const stats::RatioEstimate& ratio, Relation relation, double limit) {
  switch (relation) {
    case Relation::kBelow:
      return ratio.high < limit;
    case Relation::kAtMost:
      return ratio.high <= limit;
    case Relation::kAtLeast:
      return ratio.low >= limit;
    case Relation::kAbove:
      return ratio.low > limit;
  }
  return false;
}

Relation Unwanted(const Gate& gate) {
  return gate.kind == Gate::Kind::kFailIf ? gate.relation : Contrary(gate.relation);
}

// Returns how far a ratio is on the unwanted side; a missing ratio has the least value.
double Excess(const Gate& gate, const ComparedRow& row) {
  if (!row.judged) {
    return -std::numeric_limits<double>::infinity();
  }
  const Relation unwanted = Unwanted(gate);
  const bool low = unwanted == Relation::kBelow || unwanted == Relation::kAtMost;
  return low ? -row.judged->ratio : row.judged->ratio;
}

template <typename Range>
GateOutcome Worst(const Range& outcomes) {
  for (const GateOutcome outcome : {GateOutcome::kFailed, GateOutcome::kInconclusive}) {
    if (std::ranges::any_of(outcomes,
                            [outcome](const auto& one) { return one.outcome == outcome; })) {
      return outcome;
    }
  }
  return GateOutcome::kPassed;
}

}  // namespace

GateOutcome OutcomeOf(const Gate& gate, const std::optional<stats::RatioEstimate>& ratio) {
  if (!ratio) {
    return GateOutcome::kInconclusive;
  }
  const double limit = 1 + gate.change;
  if (Proves(*ratio, Unwanted(gate), limit)) {
    return GateOutcome::kFailed;
  }
  const bool enough = gate.kind == Gate::Kind::kFailIf || Proves(*ratio, gate.relation, limit);
  return enough ? GateOutcome::kPassed : GateOutcome::kInconclusive;
}

GateResult Judge(const Gate& gate, const std::vector<ComparedRow>& rows) {
  GateResult result{.gate = gate, .outcome = GateOutcome::kInconclusive};
  for (std::size_t place = 0; place < rows.size(); ++place) {
    if (!rows[place].against || rows[place].metric->name != gate.metric) {
      continue;
    }
    if (rows[place].never) {
      ++result.left_out;
    } else {
      result.rows.push_back({.place = place, .outcome = OutcomeOf(gate, rows[place].judged)});
    }
  }
  if (result.rows.empty()) {
    return result;
  }
  result.outcome = Worst(result.rows);
  for (const GateResult::Row& row : result.rows) {
    if (row.outcome == result.outcome &&
        (!result.worst || Excess(gate, rows[row.place]) > Excess(gate, rows[*result.worst]))) {
      result.worst = row.place;
    }
  }
  return result;
}

GateOutcome OutcomeOfAll(const std::vector<GateResult>& gates) {
  SB_ASSERT(!gates.empty(), "no gate, no outcome");
  return Worst(gates);
}

}  // namespace schedbench::harness
