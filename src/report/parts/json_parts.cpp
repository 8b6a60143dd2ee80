#include "report/parts/json_parts.hpp"

#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "config/settings_json.hpp"

#include <array>

namespace schedbench::stats {

record::Of<RatioEstimate> RecordOf(const RatioEstimate* /*type*/) {
  using T = RatioEstimate;
  return {"Ratio",
          {{"ratio", &T::ratio, "The median of the ratios of the blocks."},
           {"low", &T::low, "The lower end of its interval."},
           {"high", &T::high, "The upper end of its interval."},
           {"stops_short", &T::stops_short, "The interval may be too narrow: too few blocks."}}};
}

}  // namespace schedbench::stats

namespace schedbench::platform {

record::Of<MachineInfo> RecordOf(const MachineInfo* /*type*/) {
  using T = MachineInfo;
  return {"Machine",
          {{"cpu_model", &T::cpu_model, "'unknown' where the kernel does not say."},
           {"architecture", &T::architecture, "Such as 'x86_64'."},
           {"cpus_online", &T::cpus_online, "CPUs of the machine."},
           {"cpus_allowed", &T::cpus_allowed, "CPUs that the process may use."},
           {"cpu_list", &T::cpu_list, "These, as taskset writes them."},
           {"governor", &T::governor,
            "Of the first of these; 'unknown' where the kernel does not say."},
           {"virtualised", &T::virtualised, "Whether it is a virtual machine."},
           {"memory_bytes", &T::memory_bytes, "Memory of the machine."},
           {"page_bytes", &T::page_bytes, "Size of a page."},
           {"kernel", &T::kernel, "Its name and version."},
           {"load_average", &T::load_average, "Of 1, 5 and 15 minutes."},
           {"restrictions",
            [](const T& machine) {
              return VectorOf<std::string_view>(machine.restrictions, &Restriction::text);
            },
            "What the process lacks on the machine, in words."}}};
}

}  // namespace schedbench::platform

namespace schedbench::registry {

record::Of<BuildInfo> RecordOf(const BuildInfo* /*type*/) {
  using T = BuildInfo;
  return {"Build",
          {{"version", &T::version, "Of schedbench."},
           {"revision", &T::revision, "The git commit; 'unknown' outside of a checkout."},
           {"modified", &T::modified, "Whether tracked files differed from the revision."},
           {"compiler", &T::compiler, "Its name and version."},
           {"build_type", &T::build_type, "Such as 'Release'."},
           {"flags", &T::flags, "Compile options."},
           {"sanitizer", &T::sanitizer, "'none', 'address' or 'thread'."},
           {"allocator", &T::allocator, "'mimalloc' or 'system'."},
           {"context_switch", &T::context_switch, "Of fibers: 'inline' or 'boost'."},
           {"boost_version", &T::boost_version, ""},
           {"fmt_version", &T::fmt_version, ""}}};
}

}  // namespace schedbench::registry

namespace schedbench::harness {

static constexpr std::array<std::string_view, 2> kIntervals{"95%", "range"};

static record::Of<Round> RecordOf(const Round* /*type*/) {
  using T = Round;
  return {"RunRound",
          {{"wall_ns", &T::wall_ns, "Wall time."},
           {"cpu_ns", &T::cpu_ns, "CPU time of the process."},
           {"operations", &T::operations, "Operations done."},
           {"wakeup_samples", &T::wakeup_samples, "Wake-up times behind the percentiles."},
           {"run_samples", &T::run_samples, "Run times behind the percentiles."}}};
}

record::Of<Spread> RecordOf(const Spread* /*type*/) {
  using T = Spread;
  return {"Spread",
          {{"median", &T::median, ""},
           {"low", &T::low, ""},
           {"high", &T::high, ""},
           {"interval",
            [](const T& spread) { return kIntervals[spread.is_interval ? 0 : 1]; },
            "Whether low and high are the 95 % interval of the median or the range.",
            {.one_of = kIntervals}}}};
}

record::Of<SummaryRow> RecordOf(const SummaryRow* /*type*/) {
  using T = SummaryRow;
  return {
      "SummaryValue",
      {{"median", [](const T& row) { return Mapped(row.spread, &Spread::median); },
        "Over the rounds."},
       {"low", [](const T& row) { return Mapped(row.spread, &Spread::low); },
        "The lower end of the interval or the range."},
       {"high", [](const T& row) { return Mapped(row.spread, &Spread::high); }, "The upper end."},
       {"unit", [](const T& row) { return row.metric->unit; }, "Unit of the values."},
       {"better", [](const T& row) { return row.metric->better; }, "Which way is better."},
       {"interval",
        [](const T& row) { return row.spread ? kIntervals[row.spread->is_interval ? 0 : 1] : ""; },
        "Whether low and high are the 95 % interval of the median or the range.",
        {.presence = record::kNull, .one_of = kIntervals}},
       {"reason", &T::missing, report::kReasonDoc, {record::kNull}}}};
}

record::Of<RunPlan> RecordOf(const RunPlan* /*type*/) {
  using T = RunPlan;
  return {
      "RunWorkload",
      {{"name", [](const T& plan) { return plan.workload->name; }, "Its name."},
       {"parameters", [](const T& plan) { return config::ToJson(plan.parameters); },
        "The effective ones."},
       {"operation", [](const T& plan) { return plan.workload->operation; }, "What is counted."}}};
}

}  // namespace schedbench::harness

namespace schedbench::report {

record::Of<MeasuredRound> RecordOf(const MeasuredRound* /*type*/) {
  using T = MeasuredRound;
  return {"MeasuredRound",
          {{record::kInline, &T::round, ""},
           {record::kInline, &T::metrics, "A metric, by its name (schedbench list metrics)."}}};
}

std::vector<MeasuredRound> RoundsOf(const registry::WorkloadEntry& workload,
                                    const std::vector<harness::Round>& measured) {
  const auto metrics = harness::MetricsOf(workload);
  std::vector<MeasuredRound> rounds;
  for (const harness::Round& round : measured) {
    MeasuredRound& one = rounds.emplace_back(MeasuredRound{&round, {}});
    for (std::size_t i = 0; i < round.metrics.size(); ++i) {
      one.metrics.emplace_back(metrics[i]->name, round.metrics[i]);
    }
  }
  return rounds;
}

std::vector<std::pair<std::string_view, const harness::SummaryRow*>> SummaryOf(
    const std::vector<harness::SummaryRow>& rows) {
  return VectorOf(rows, [](const auto& row) { return std::pair(row.metric->name, &row); });
}

std::vector<std::string_view> LinesOf(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    lines.push_back(TakePart(text, '\n'));
  }
  return lines;
}

record::Of<BlockFacts> RecordOf(const BlockFacts* /*type*/) {
  using T = BlockFacts;
  using harness::Extent;
  using Counts = harness::BlockCounts;
  return {"BlockFacts",
          {{"joint_level", [](const T& /*facts*/) { return harness::kJointLevel; },
            "How sure all intervals are together."},
           {"min_effect", &T::min_effect, "The smallest difference that matters."},
           {"blocks", &T::extent, &Extent::blocks,
            "Blocks planned: fresh processes of each cell or candidate."},
           {"rounds", &T::extent, &Extent::rounds, "Measured rounds in a block."},
           {"warmup", &T::extent, &Extent::warmup, "Rounds before them."},
           {"seed", &T::extent, &Extent::seed, kSeedDoc},
           {"timeout_ns", &T::extent, &Extent::limit,
            "Time without progress after which a round fails; 0: none."},
           {"budget_ns", &T::extent, &Extent::budget, "Null: none."},
           {"perturbed", &T::perturbed, kPerturbedDoc, {record::kNull}},
           {"blocks_repeated", &T::counts, &Counts::repeated,
            "Blocks that were measured again because something else ran."},
           {"blocks_disturbed", &T::counts, &Counts::disturbed,
            "Blocks that count although something else ran."}}};
}

std::string JsonText(const record::Record& record, const void* result) {
  Json root;
  record.Write(result, root);
  return JsonText(root);
}

std::string JsonText(const Json& root) {
  return root.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace schedbench::report
