#include "harness/compare/analysis.hpp"
#include "report/hypotheses/hypotheses_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace schedbench::report {

namespace {

using harness::JudgedHypothesis;
using harness::Way;

Table JudgedTable(const HypothesesResult& result) {
  TableOf<JudgedHypothesis> table;
  const auto add = [&table](ColumnHead head, auto member) {
    table.Add(std::move(head),
              [member](const JudgedHypothesis& judged) { return judged.hypothesis->*member; });
  };
  using harness::Hypothesis;
  add({"hypothesis"}, &Hypothesis::name);
  add({"source"}, &Hypothesis::source);
  table.Add({"verdict"}, &JudgedHypothesis::judgement);
  table.Add({.name = "workload", .loss = 1},
            [](const JudgedHypothesis& judged) { return judged.plan.workloads[0].name; });
  add({.name = "before", .media = kInRows}, &Hypothesis::before);
  add({.name = "after", .media = kInRows}, &Hypothesis::after);
  table.AddRatio({"mechanism ratio"}, &JudgedHypothesis::mechanism);
  table.AddRatio({"throughput ratio"}, &JudgedHypothesis::throughput);
  table.Add({.name = "reason", .media = kInRows}, &JudgedHypothesis::reason);
  return std::move(table).Rows(result.judged);
}

std::string_view WayText(Way way) {
  return way == Way::kRises ? "claimed to rise" : "claimed to fall";
}

Section SectionOf(const JudgedHypothesis& judged) {
  const harness::Hypothesis& hypothesis = *judged.hypothesis;
  Section section{
      .title = fmt::format("{}  {}", hypothesis.name, harness::ToText(judged.judgement)),
      .details = {{std::string(hypothesis.statement)}}};
  if (!hypothesis.IsAboutAnswers()) {
    section.details.push_back(
        {fmt::format("{}: {}; throughput: {}", hypothesis.mechanism,
                     WayText(hypothesis.counters_go), WayText(hypothesis.throughput_goes))});
  }
  const std::string schedulers = hypothesis.IsAboutAnswers()
                                     ? "global_fifo 'WorkStealing_*' --workers 1"
                                     : fmt::format("{} {}", hypothesis.before, hypothesis.after);
  section.details.push_back({judged.reason, fmt::format("schedbench compare {} -w {}", schedulers,
                                                        judged.plan.workloads[0].name)});
  return section;
}

}  // namespace

Document DocumentOf(const HypothesesResult& result, const TerminalStyle& /*style*/) {
  Document document{.title = "Published claims",
                    .origin = Origin{result.machine, result.command, result.seed},
                    .rows = JudgedTable(result)};
  std::uint32_t blocks = 0;
  for (const JudgedHypothesis& judged : result.judged) {
    blocks = std::max(blocks, judged.hypothesis->IsAboutAnswers() ? 0 : judged.plan.blocks);
    document.sections.push_back(SectionOf(judged));
  }
  Section& all = document.sections.emplace_back(
      Section{.title = "Ratios of the second scheduler to the first, per operation",
              .table = document.rows});
  if (blocks > 0) {
    all.details.push_back(
        {fmt::format("medians of {} blocks with intervals that hold together "
                     "with {:.0f} %",
                     blocks, 100 * harness::kJointLevel)});
  }
  return document;
}

}  // namespace schedbench::report
