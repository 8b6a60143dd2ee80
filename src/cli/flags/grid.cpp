#include "cli/flags/grid.hpp"

#include "base/vector_of.hpp"
#include "cli/flags/alternatives.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/value_list.hpp"
#include "config/assignment.hpp"
#include "config/parse_value.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "config/suggest.hpp"
#include "platform/threads/thread.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>
#include <utility>

namespace schedbench::cli {

namespace {

using config::Problems;
using config::Quoted;

enum class Side { kScheduler, kConfig, kWorkload };

struct Over {
  std::string text = "";  // "--over workers=1..4", escaped
  std::string key = "";   // as the user typed it
  std::string path = "";  // path of the field or parameter
  Side side = Side::kConfig;
  std::vector<std::string> values = {};
  bool has_auto = false;  // whether a value was 0 workers
};

// A larger grid could not be measured in a day.
constexpr std::size_t kMostCells = 10'000;

constexpr std::string_view kWorkersField = "workers";
constexpr std::string_view kSchedulerKeyName = "scheduler";
constexpr std::string_view kConfigPrefix = "config.";

// Removes the prefix, so that the path is "workers" or "fibers.guard".
bool TakePrefix(std::string& path, std::string_view prefix) {
  if (!path.starts_with(prefix)) {
    return false;
  }
  path.erase(0, prefix.size());
  return true;
}

harness::ComparedWorkload CellWorkload(const WorkloadChoice& workload) {
  return {
      .entry = workload.entry,
      .name = config::SpecText(workload.entry->name, config::ChangedFields(workload.parameters)),
      .parameters = config::ToJson(workload.parameters).dump()};
}

// Returns what an `over` may name, given the schedulers and the workload.
std::vector<std::string> KeysOf(const std::vector<GridScheduler>& schedulers,
                                const registry::WorkloadEntry& workload) {
  std::vector<std::string> keys;
  const auto add = [&keys](std::string_view path) {
    if (std::ranges::find(keys, path) == keys.end()) {
      keys.emplace_back(path);
    }
  };
  for (const GridScheduler& scheduler : schedulers) {
    if (scheduler.entry == nullptr) {
      add(kWorkersField);
      continue;
    }
    for (const config::Leaf& leaf : scheduler.entry->schema().Leaves()) {
      add(leaf.path);
    }
  }
  for (const config::Leaf& leaf : workload.schema().Leaves()) {
    add(leaf.path);
  }
  add(kSchedulerKeyName);
  return keys;
}

class GridBuilder {
 public:
  GridBuilder(const Arguments& arguments, const WorkloadChoice& workload, const Flag& flag,
              harness::SweepPlan& plan, Problems& problems)
      : arguments_(arguments),
        workload_(workload),
        flag_(flag),
        plan_(plan),
        problems_(problems) {
  }

  void Build(const std::vector<std::string>& overs, bool always_scheduler) {
    auto parsed = PresentOf(overs, [this](const std::string& text) { return Split(text); });
    TakeSchedulers(parsed);
    if (!problems_.empty()) {
      return;
    }
    for (Over& over : parsed) {
      Resolve(over);
    }
    RefuseTwice(parsed);
    if (!problems_.empty()) {
      return;
    }
    const bool has_scheduler_key =
        std::ranges::find(parsed, Side::kScheduler, &Over::side) != parsed.end();
    if (!has_scheduler_key && (schedulers_.size() > 1 || always_scheduler)) {
      parsed.insert(parsed.begin(), {.key = std::string(kSchedulerKeyName),
                                     .side = Side::kScheduler,
                                     .values = SchedulerNames()});
    }
    overs_ = std::move(parsed);
    RequireSize();
    if (problems_.empty()) {
      AddCells();
    }
  }

 private:
  std::optional<Over> Split(const std::string& text) {
    const std::size_t sign = text.find('=');
    const bool has_key = flag_.name == kOverFlag.name;
    Over over{.text = PlaceOf(flag_, has_key ? text : text.substr(sign + 1))};
    if (sign == std::string::npos || sign == 0) {
      Reject(problems_, over.text, "expected KEY=LIST, such as workers=1..4 or lifo_limit=0,3");
      return std::nullopt;
    }
    over.key = text.substr(0, sign);
    const std::string_view values = std::string_view(text).substr(sign + 1);
    over.values = over.key == kSchedulerKeyName ? NamesIn(values, over.text)
                                                : ParseValueList(values, over.text, problems_);
    return over.values.empty() ? std::nullopt : std::optional(std::move(over));
  }

  // Splits at commas only, because the path of a config may contain "..".
  std::vector<std::string> NamesIn(std::string_view text, const std::string& where) {
    std::vector<std::string> names;
    for (const auto name : std::views::split(text, ',')) {
      names.emplace_back(name.begin(), name.end());
    }
    if (names.empty() || std::ranges::find(names, "") != names.end()) {
      Reject(problems_, where, "a name is empty");
      names.clear();
    }
    return names;
  }

  // Takes the schedulers of the words, or of the key.
  void TakeSchedulers(std::vector<Over>& overs) {
    const auto over = std::ranges::find(overs, kSchedulerKeyName, &Over::key);
    if (over == overs.end()) {
      if (words_.empty()) {
        words_ = {"fast"};
      }
      AddSchedulers("");
      return;
    }
    over->side = Side::kScheduler;
    if (!words_.empty()) {
      Reject(problems_, over->text, "the schedulers are given twice: here and as {}",
             Quoted(words_.front()));
      return;
    }
    words_ = over->values;
    AddSchedulers(over->text);
    over->values = SchedulerNames();  // a pattern stands for several schedulers
  }

  std::vector<std::string> SchedulerNames() const {
    return VectorOf(schedulers_, [](const auto& scheduler) { return scheduler.alternative.name; });
  }

  // `flag`: the flag that names them; "" for words.
  void AddSchedulers(const std::string& flag) {
    Problems found;
    schedulers_ =
        GridSchedulersOf(AlternativesAndPeers(arguments_, words_, std::nullopt, found), found);
    for (config::Problem problem : found.List()) {
      if (!flag.empty() && !problem.where.starts_with("--")) {
        problem.where = fmt::format("{}: {}", flag, problem.where);
      }
      problems_.Add(std::move(problem));
    }
  }

  // A foreign runtime only has the field `workers`.
  static bool HasField(const GridScheduler& scheduler, const std::string& path) {
    return scheduler.entry == nullptr ? path == kWorkersField
                                      : scheduler.entry->schema().FindLeaf(path) != nullptr;
  }

  bool AnyConfigHas(const std::string& path) const {
    return std::ranges::any_of(
        schedulers_, [&](const GridScheduler& scheduler) { return HasField(scheduler, path); });
  }

  void Resolve(Over& over) {
    if (over.side == Side::kScheduler) {
      return;
    }
    over.path = over.key;
    const bool only_config = TakePrefix(over.path, kConfigPrefix);
    const bool only_workload = !only_config && TakePrefix(over.path, kWorkloadPrefix);
    const bool in_config = !only_workload && AnyConfigHas(over.path);
    const bool in_workload =
        !only_config && workload_.entry->schema().FindLeaf(over.path) != nullptr;
    if (in_config && in_workload) {
      Reject(problems_, over.text, "{} is a config field and a parameter of {}; write {}{} or {}{}",
             Quoted(over.key), workload_.entry->name, kConfigPrefix, over.path, kWorkloadPrefix,
             over.path);
    } else if (!in_config && flag_.name != kOverFlag.name) {
      RequireInAllConfigs(over);  // the flag stands for a field
    } else if (!in_config && !in_workload) {
      const std::vector<std::string> keys = KeysOf(schedulers_, *workload_.entry);
      const std::vector<std::string_view> known(keys.begin(), keys.end());
      Reject(
          problems_, over.text,
          "unknown key {}{}    schedbench describe scheduler {}    schedbench describe workload {}",
          Quoted(over.key), config::DidYouMean(over.key, known),
          schedulers_.front().alternative.scheduler, workload_.entry->name);
    } else {
      over.side = in_config ? Side::kConfig : Side::kWorkload;
      if (in_config) {
        RequireInAllConfigs(over);
      }
      RefuseSetElsewhere(over);
      Normalise(over);
    }
  }

  void RequireInAllConfigs(const Over& over) {
    for (const GridScheduler& scheduler : schedulers_) {
      if (HasField(scheduler, over.path)) {
        continue;
      }
      if (scheduler.entry == nullptr) {
        Reject(
            problems_, over.text,
            "{} is a foreign runtime without a field {}; its keys are {} and the parameters of {}",
            config::Escaped(scheduler.alternative.name), Quoted(over.path), kWorkersField,
            workload_.entry->name);
      } else {
        Reject(problems_, over.text,
               "scheduler {} has no field {}    schedbench describe scheduler {}",
               scheduler.entry->name, Quoted(over.path), scheduler.entry->name);
      }
    }
  }

  // Refuses a value that the sweep overrides. A config file's value is allowed as a start.
  void RefuseSetElsewhere(const Over& over) {
    const std::string workload = arguments_[kWorkloadFlag];
    if (over.side == Side::kWorkload && SpecSets(workload, over.path)) {
      Reject(problems_, over.text, "{} is given twice: here and in {}", Quoted(over.key),
             PlaceOf(kWorkloadFlag, workload));
    }
    for (const std::string& word : words_) {
      if (over.side != Side::kConfig || !WordSets(word, over.path)) {
        continue;
      }
      if (flag_.name == kOverFlag.name) {
        Reject(problems_, over.text, "{} is given twice: here and in {}", Quoted(over.key),
               Quoted(word));
      } else {  // the list may be the default
        Reject(problems_, config::Escaped(word),
               "{} itself sets {}; remove it from {}    {} LIST sets its values",
               arguments_.command_line.at(1), over.path, Quoted(word), flag_.name);
      }
    }
  }

  // Checks each value, and gives equal values equal texts.
  void Normalise(Over& over) {
    if (!problems_.empty()) {
      return;
    }
    if (over.side == Side::kWorkload) {
      Normalise(over, workload_.entry->schema());
      return;
    }
    for (const GridScheduler& scheduler : schedulers_) {
      Normalise(over, scheduler.entry == nullptr ? SchemaOfWorkers() : scheduler.entry->schema());
    }
    if (over.path == kWorkersField) {
      ResolveAuto(over);
    }
  }

  void Normalise(Over& over, const config::Schema& schema) {
    for (std::string& value : over.values) {
      config::ParsedValue parsed = config::ParseText(*schema.FindLeaf(over.path)->field, value);
      if (parsed.value) {
        value = config::ToText(*parsed.value);
      } else {
        problems_.Add(over.text, "", std::move(parsed.error));
        return;  // the other values of a range would repeat the complaint
      }
    }
  }

  // Returns the schema of our schedulers for a grid of foreign runtimes.
  static const config::Schema& SchemaOfWorkers() {
    return registry::FindScheduler("fast")->schema();
  }

  // Replaces 0, one worker for each CPU, which may be another value of the list.
  void ResolveAuto(Over& over) {
    for (std::string& value : over.values) {
      if (value == "0") {
        value = std::to_string(platform::AvailableCpus());
        over.has_auto = true;
      }
    }
  }

  void RefuseTwice(const std::vector<Over>& overs) {
    std::set<std::pair<Side, std::string>> keys;
    for (const Over& over : overs) {
      if (!keys.insert({over.side, over.path}).second) {
        Reject(problems_, over.text, "{} is given twice", Quoted(over.key));
      }
      std::set<std::string> values;
      for (const std::string& value : over.values) {
        if (!values.insert(value).second) {
          Reject(problems_, over.text, "the value {} is given twice{}", Quoted(value),
                 over.has_auto ? "; 0 is one worker for each CPU" : "");
          break;
        }
      }
    }
  }

  void RequireSize() {
    std::size_t cells = 1;
    for (const Over& over : overs_) {
      cells *= over.values.size();  // at most kMostValues each, and stopped below
      if (cells > kMostCells) {
        Reject(problems_, flag_, "the grid has more than {} cells; give fewer values", kMostCells);
        return;
      }
    }
    if (cells == 1) {
      Reject(problems_, flag_,
             "there is 1 cell, and nothing to compare it with; give at least 2 values");
    }
  }

  void AddCells() {
    for (const Over& over : overs_) {
      plan_.keys.push_back({.name = over.key, .values = over.values});
    }
    std::vector<std::size_t> place(overs_.size(), 0);
    do {
      AddCell(place);
    } while (Advance(place));
    const bool all_impossible =
        std::ranges::all_of(plan_.cells, [](const auto& cell) { return !cell.impossible.empty(); });
    if (all_impossible) {
      Reject(problems_, flag_, "{}",
             "no combination of the values is possible: " + plan_.cells.front().impossible);
    }
  }

  // Advances to the next combination. Returns false after the last one.
  bool Advance(std::vector<std::size_t>& place) const {
    for (std::size_t key = place.size(); key-- > 0;) {
      if (++place[key] < overs_[key].values.size()) {
        return true;
      }
      place[key] = 0;
    }
    return false;
  }

  void AddCell(const std::vector<std::size_t>& place) {
    const GridScheduler* scheduler = &schedulers_.front();
    for (std::size_t key = 0; key < place.size(); ++key) {
      if (overs_[key].side == Side::kScheduler) {
        scheduler = &schedulers_[place[key]];
      }
    }
    std::optional<config::Settings> settings = scheduler->settings;
    WorkloadChoice workload = workload_;
    std::string workers_of_peer;
    Problems impossible;
    for (std::size_t key = 0; key < place.size(); ++key) {
      const Over& over = overs_[key];
      const std::string& value = over.values[place[key]];
      if (over.side == Side::kWorkload) {
        config::Assign(workload.parameters, over.path, value, {over.text, ""}, impossible);
      } else if (over.side == Side::kConfig && settings) {
        config::Assign(*settings, over.path, value, {over.text, ""}, impossible);
      } else if (over.side == Side::kConfig) {
        workers_of_peer = value;
      }
    }
    if (settings) {
      Finish(*settings, impossible);
    }
    config::CheckRules(workload.parameters, impossible);
    harness::SweepCell cell = settings ? CellOf(*scheduler, *settings, workload)
                                       : CellOfPeer(*scheduler, workers_of_peer, workload);
    cell.place = place;
    if (!impossible.empty()) {
      cell.impossible = impossible.List().front().message;
    }
    plan_.cells.push_back(std::move(cell));
  }

  // `workers`: "" for the peer's default.
  harness::SweepCell CellOfPeer(const GridScheduler& scheduler, const std::string& workers,
                                const WorkloadChoice& workload) const {
    harness::SweepCell cell{
        .place = {}, .alternative = scheduler.alternative, .workload = CellWorkload(workload)};
    cell.command = {"schedbench", "compare"};
    for (const std::string& value : arguments_[kWithFlag]) {
      cell.command.insert(cell.command.end(), {std::string(kWithFlag.name), value});
    }
    if (!workers.empty()) {
      cell.alternative.config = fmt::format(R"({{"workers":{}}})", workers);
      cell.command.insert(cell.command.end(), {"--workers", workers});
      cell.workers = static_cast<std::uint32_t>(std::stoul(workers));
    }
    cell.command.insert(cell.command.end(), {"--workload", cell.workload.name});
    return cell;
  }

  const Arguments& arguments_;
  const WorkloadChoice& workload_;
  const Flag& flag_;
  harness::SweepPlan& plan_;
  Problems& problems_;
  std::vector<std::string> words_ = arguments_.words;  // words that name schedulers
  std::vector<GridScheduler> schedulers_;
  std::vector<Over> overs_;  // in the order of the keys
};

}  // namespace

std::vector<GridScheduler> GridSchedulersOf(std::vector<harness::Alternative> alternatives,
                                            Problems& problems) {
  std::vector<GridScheduler> schedulers;
  for (harness::Alternative& alternative : alternatives) {
    const registry::SchedulerEntry* const entry =
        alternative.runtime.empty() ? registry::FindScheduler(alternative.scheduler) : nullptr;
    std::optional<config::Settings> settings;
    if (entry != nullptr) {
      settings =
          config::SettingsFromJson(entry->schema(), alternative.config, alternative.name, problems);
    }
    schedulers.push_back(
        {.alternative = std::move(alternative), .entry = entry, .settings = std::move(settings)});
  }
  return schedulers;
}

std::vector<std::string> CommandOfSettings(const registry::SchedulerEntry& scheduler,
                                           const config::Settings& settings) {
  std::vector<std::string> command{"schedbench", "run", "--scheduler", std::string(scheduler.name)};
  for (std::string& setting : config::ChangedFields(settings)) {
    command.insert(command.end(), {"--set", std::move(setting)});
  }
  return command;
}

harness::SweepCell CellOf(const GridScheduler& scheduler, const config::Settings& settings,
                          const WorkloadChoice& workload) {
  harness::SweepCell cell{.place = {}, .alternative = scheduler.alternative, .workload = {}};
  cell.alternative.config = config::ToJson(settings).dump();
  cell.workload = CellWorkload(workload);
  cell.command = CommandOfSettings(*scheduler.entry, settings);
  cell.command.insert(cell.command.end(), {"--workload", cell.workload.name});
  if (settings.GetSchema().FindLeaf("workers") != nullptr) {
    cell.workers = static_cast<std::uint32_t>(std::get<std::uint64_t>(settings.Get("workers")));
  }
  return cell;
}

void BuildGrid(const Arguments& arguments, const WorkloadChoice& workload,
               const std::vector<std::string>& overs, bool always_scheduler, const Flag& flag,
               harness::SweepPlan& plan, Problems& problems) {
  GridBuilder(arguments, workload, flag, plan, problems).Build(overs, always_scheduler);
}

}  // namespace schedbench::cli
