#include "tests/graph/script.hpp"

#include <fmt/core.h>

#include <string>

namespace schedbench::graph {

std::string StepsText(const TaskGraph& graph, std::size_t task) {
  std::string text;
  for (const Step& step : graph.StepsOf(task)) {
    text += text.empty() ? "" : ", ";
    text += ToText(step.kind);
    if (step.kind == StepKind::kRun) {
      text += fmt::format(" {}", step.ns);
    } else if (step.kind != StepKind::kYield) {
      text += fmt::format(" {}", step.target);
    }
  }
  return text;
}

}  // namespace schedbench::graph
