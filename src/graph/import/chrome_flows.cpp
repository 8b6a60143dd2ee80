#include "graph/import/chrome_flows.hpp"

#include "base/stable_sort.hpp"

#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace schedbench::graph {

namespace {

struct OpenFlow {
  std::optional<FlowEvent> last{};   // the begin or a step
  std::optional<FlowEvent> early{};  // a step or an end before any begin
  bool is_followed = false;          // something depends on `last`
};

}  // namespace

FlowLinks FollowFlows(std::vector<FlowEvent> events, std::int64_t skew_ns) {
  StableSort(events, {}, [](const FlowEvent& event) {
    return std::tuple(event.ns, event.order);
  });
  FlowLinks result;
  std::unordered_map<std::string, OpenFlow> flows;
  for (FlowEvent& event : events) {
    OpenFlow& flow = flows[event.flow];
    if (event.phase == FlowEvent::Phase::kStart) {
      result.loose += flow.last && !flow.is_followed ? 1 : 0;
      flow.last = event;
      flow.is_followed = false;
      if (flow.early) {
        if (event.ns - flow.early->ns <= skew_ns) {
          flow.is_followed = true;
          result.links.push_back({.from = event, .to = *flow.early});
          if (flow.early->phase == FlowEvent::Phase::kStep) {
            flow.last = std::exchange(flow.early, std::nullopt);
            continue;
          }
        } else {
          ++result.loose;
        }
        flow.early.reset();
      }
    } else if (!flow.last) {
      result.loose += flow.early ? 1 : 0;
      flow.early = std::move(event);
    } else {
      result.links.push_back({.from = *flow.last, .to = event});
      flow.is_followed = true;
      if (event.phase == FlowEvent::Phase::kStep) {
        flow.last = std::move(event);
      }
    }
  }
  for (const auto& [id, flow] : flows) {
    result.loose += (flow.last && !flow.is_followed ? 1 : 0) + (flow.early ? 1 : 0);
  }
  return result;
}

}  // namespace schedbench::graph
