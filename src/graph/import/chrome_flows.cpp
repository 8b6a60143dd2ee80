#include "graph/import/chrome_flows.hpp"

#include <optional>
#include <string_view>
#include <unordered_map>

namespace schedbench::graph {

namespace {

struct OpenFlow {
  std::optional<std::size_t> last{};   // the start or a step
  std::optional<std::size_t> early{};  // a step or an end before any start
  bool is_followed = false;            // whether something depends on `last`

  std::size_t Loose() const {
    return (last && !is_followed ? 1U : 0U) + (early ? 1U : 0U);
  }
};

}  // namespace

FlowLinks FollowFlows(const std::vector<FlowEvent>& events, std::int64_t skew_ns) {
  using enum FlowEvent::Phase;
  FlowLinks result;
  std::unordered_map<std::string_view, OpenFlow> flows;
  const auto follow = [&](OpenFlow& flow, std::size_t event) {
    result.links.emplace_back(*flow.last, event);
    flow.is_followed = true;
    if (events[event].phase == kStep) {
      flow.last = event;
    }
  };
  for (std::size_t i = 0; i < events.size(); ++i) {
    OpenFlow& flow = flows[events[i].flow];
    if (events[i].phase == kStart) {
      const std::optional<std::size_t> early = flow.early;
      const bool is_of_this = early && events[i].ns - events[*early].ns <= skew_ns;
      result.loose += flow.Loose() - (is_of_this ? 1 : 0);
      flow = {.last = i};
      if (is_of_this) {
        follow(flow, *early);
      }
    } else if (flow.last) {
      follow(flow, i);
    } else {
      result.loose += flow.Loose();
      flow.early = i;
    }
  }
  for (const auto& [id, flow] : flows) {
    result.loose += flow.Loose();
  }
  return result;
}

}  // namespace schedbench::graph
