#include "config/describe.hpp"

#include "cli/command.hpp"
#include "cli/flags/catalogue.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/suites.hpp"
#include "config/suggest.hpp"
#include "platform/files/terminal.hpp"
#include "registry/scheduler.hpp"
#include "registry/shipped_configs.hpp"
#include "registry/workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace schedbench::cli {

namespace {

constexpr auto kMarkdownFlag = SwitchFlag{"--markdown", "", "", "Print a Markdown table"};
constexpr auto kSchemaFlag =
    SwitchFlag{"--schema", "", "", "Print a JSON Schema, for editors (schedulers only)"};
constexpr auto kDescribeFlags = FlagsOf(kMarkdownFlag, kSchemaFlag);

// Returns the entry. Throws config::InputError with the known names if it is null.
template <typename Entry>
const Entry& Known(const Entry* entry, std::string_view kind, const std::string& name) {
  if (entry == nullptr) {
    const std::vector<NamedThing> known = FindByName(NamedKinds(), kind)->things();
    RefuseInput("unknown {} {}{}    schedbench list {}s", kind, config::Quoted(name),
                config::DidYouMean(name, NamesOf(known)), kind);
  }
  return *entry;
}

std::string_view Dash() {
  return platform::TakesUtf8() ? "—" : "-";
}

// Wraps the text for the terminal; all lines but the first have this indent.
std::string Wrapped(const std::string& text, std::size_t indent = 2) {
  const std::size_t width = StdoutStyle().width;
  return fmt::format("{}", fmt::join(config::WrapWords(text, width - std::min(width, indent)),
                                     "\n" + std::string(indent, ' ')));
}

// Returns "fast — what it is", the first line of a description.
std::string Head(std::string_view name, std::string_view doc) {
  return Wrapped(fmt::format("{} {} {}", name, Dash(), doc));
}

std::string Scheduler(const std::string& name, const Arguments& arguments) {
  const auto& entry = Known(registry::FindScheduler(name), "scheduler", name);
  if (arguments[kSchemaFlag]) {
    return config::DescribeAsJsonSchema(entry.schema(), entry.name);
  }
  if (arguments[kMarkdownFlag]) {
    return config::DescribeAsMarkdown(entry.schema());
  }
  const std::string alias =
      entry.alias.empty() ? "" : fmt::format("another name of it: {}\n", entry.alias);
  return fmt::format(
      "{}\n{}\n{}\n  in a file: {{\"scheduler\": \"{}\", ...}}\n  on the command line: --set "
      "FIELD=VALUE\n",
      Head(entry.name, entry.doc), alias,
      config::DescribeAsText(entry.schema(), StdoutStyle().width), entry.name);
}

// Returns the metrics that only this workload has.
std::string OwnMetrics(const registry::WorkloadEntry& workload) {
  std::string text;
  for (const registry::Metric& metric : workload.metrics) {
    text += text.empty() ? "\n  metrics of each round:\n" : "";
    text +=
        "  " + Wrapped(fmt::format("{} ({})  {}", metric.name, metric.unit, metric.doc), 6) + "\n";
  }
  return text;
}

std::string Presets(const registry::WorkloadEntry& workload) {
  std::size_t width = 0;
  for (const registry::Preset& preset : workload.presets) {
    width = std::max(width, preset.name.size());
  }
  std::string text;
  for (const registry::Preset& preset : workload.presets) {
    text += text.empty() ? "\n  presets:\n" : "";
    text += fmt::format("  {:{}}  {}\n", preset.name, width,
                        preset.parameters.empty() ? "(all defaults)" : preset.parameters);
  }
  return text;
}

std::string Workload(const std::string& name, const Arguments& arguments) {
  const auto& entry = Known(registry::FindWorkload(name), "workload", name);
  if (arguments[kMarkdownFlag]) {
    return config::DescribeAsMarkdown(entry.schema());
  }
  return fmt::format(
      "{}\none operation is one {}\n\n{}{}{}\n  on the command line: --workload "
      "{}:{}KEY=VALUE,...\n",
      Head(entry.name, entry.doc), entry.operation,
      config::DescribeAsText(entry.schema(), StdoutStyle().width, "parameter"), OwnMetrics(entry),
      Presets(entry), entry.name, entry.presets.empty() ? "" : "preset=NAME,");
}

std::string Metric(const std::string& name, const Arguments& arguments) {
  const std::vector<NamedThing> metrics = FindByName(NamedKinds(), "metric")->things();
  const NamedThing& metric = Known(FindByName(metrics, name), "metric", name);
  if (arguments[kMarkdownFlag]) {
    return fmt::format(
        "| Metric | Unit | One per | Total | Meaning |\n|---|---|---|---|---|\n| `{}` | {} | {} | "
        "{} | {} |\n",
        metric.name, metric.unit, metric.one_per, metric.total, metric.doc);
  }
  return fmt::format("{}\n  unit      {}\n  one per   {}\n  total     {}\n",
                     Head(metric.name, metric.doc), metric.unit, metric.one_per, metric.total);
}

// Describes a shipped config: its scheduler, the fields that it sets, and its text.
std::string Config(const std::string& name, const Arguments& /*arguments*/) {
  const auto configs = registry::ShippedConfigs();
  const registry::ShippedConfig* const by_name = FindByName(configs, name);
  const auto& config =
      Known(by_name == nullptr ? FindByName(configs, name + ".json") : by_name, "config", name);
  const std::string_view scheduler = SchedulerOf(config).name;
  const std::string doc = fmt::format(
      "a config for the scheduler {}; all other fields have their defaults    schedbench describe "
      "scheduler {}",
      scheduler, scheduler);
  return fmt::format("{}\n\n{}", Head(config.name, doc), config.text);
}

std::string SuiteText(const std::string& name, const Arguments& /*arguments*/) {
  const Suite& suite = Known(FindByName(Suites(), name), "suite", name);
  return fmt::format("{}\n\n  {}\n\n  on the command line: compare --workload suite:{}\n",
                     Head(suite.name, suite.doc), fmt::join(suite.workloads, "\n  "), suite.name);
}

// Describes a foreign runtime by the report of its agent.
std::string Runtime(const std::string& name, const Arguments& /*arguments*/) {
  config::Problems problems;
  const auto command = CommandOfPeer(name, "describe runtime", problems);
  problems.ThrowIfAny();
  try {
    const harness::HelloReply hello = HelloOf(*command);
    std::string settings;
    for (const auto& [setting, values] : hello.settings) {
      settings +=
          "  " +
          Wrapped(fmt::format("{}  {}", config::Escaped(setting), config::Escaped(values, 1000)),
                  6) +
          "\n";
    }
    return fmt::format(
        "{} {}: its units of work are {}\n\n  settings:\n{}\n  workloads: {}\n\n  on the command "
        "line: --with {}:SETTING=VALUE,... or --with NAME={}:SETTING=VALUE,...\n",
        name, config::Escaped(hello.version), config::Escaped(hello.tasks), settings,
        Wrapped(fmt::format("{}", fmt::join(hello.workloads, ", ")), 2), name, name);
  } catch (const std::runtime_error& error) {
    RefuseInput("describe runtime {}   {}", name, error.what());
  }
}

struct DescribedKind {
  std::string_view name;
  std::string (*describe)(const std::string& name, const Arguments& arguments);
};

constexpr std::array kDescribedKinds{
    DescribedKind{"scheduler", &Scheduler}, DescribedKind{"workload", &Workload},
    DescribedKind{"metric", &Metric},       DescribedKind{"config", &Config},
    DescribedKind{"suite", &SuiteText},     DescribedKind{"runtime", &Runtime}};

constexpr auto kDescribedNames = NamesOf(kDescribedKinds);

ExitCode Describe(const Arguments& arguments) {
  const std::vector<std::string>& words = arguments.words;
  const DescribedKind& kind = *FindByName(kDescribedKinds, words[0]);
  if (words.size() < 2 && kind.name == "runtime") {
    RefuseInput("describe runtime needs a NAME; expected one of {}", fmt::join(kPeerNames, ", "));
  }
  if (words.size() < 2) {
    RefuseInput("describe {} needs a NAME    schedbench list {}s", kind.name, kind.name);
  }
  if (arguments[kSchemaFlag] && kind.name != "scheduler") {
    RefuseInput("--schema   a {} has no schema; only a scheduler has one", kind.name);
  }
  if (arguments[kMarkdownFlag] &&
      (kind.name == "config" || kind.name == "suite" || kind.name == "runtime")) {
    RefuseInput("--markdown   a {} has no Markdown table", kind.name);
  }
  Print(kind.describe(words[1], arguments));
  return ExitCode::kDone;
}

const CommandRegistration kDescribe{{
    .place = 200,
    .name = "describe",
    .summary = "explain a scheduler, workload, metric, config, suite or foreign runtime",
    .words = {"NAME", 1, 2, Names::kDescribed, nullptr, OneOf(kDescribedNames)},
    .flags = kDescribeFlags,
    .examples =
        R"(  schedbench describe scheduler fast
  schedbench describe workload pingpong --markdown
  schedbench describe metric noop_wakes
  schedbench describe config fast.json
  schedbench describe suite peers
  schedbench describe runtime tokio
  schedbench describe scheduler fast --schema > fast.schema.json
)",
    .run = &Describe,
}};

}  // namespace

}  // namespace schedbench::cli
