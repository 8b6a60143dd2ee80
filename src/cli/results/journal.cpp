#include "cli/results/journal.hpp"

#include "cli/flags/plan_from_flags.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "cli/results/result_file.hpp"
#include "config/input_error.hpp"
#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/settings.hpp"
#include "config/settings_json.hpp"
#include "platform/files/file_checksum.hpp"
#include "record/record.hpp"
#include "registry/build_info.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

// Rises when a journal of the former form would be misunderstood.
constexpr int kJournalVersion = 2;
constexpr std::size_t kChecksumDigits = 16;
// A block of three rounds takes 6 kB: this is enough for some years of measuring.
constexpr std::size_t kLargestJournal = std::size_t{1} << 30U;

std::string LineOf(const ordered_json& object) {
  const std::string text = object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return fmt::format("{} {}\n", platform::ChecksumOf(text), text);
}

// Returns none if the line is damaged. Throws InputError if its checksum is right, but it is not a
// JSON object that this program writes. `where`: the file and the line.
std::optional<ordered_json> ObjectOf(std::string_view line, const std::string& where) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ' ||
      line.substr(0, kChecksumDigits) != platform::ChecksumOf(line.substr(kChecksumDigits + 1))) {
    return std::nullopt;
  }
  // The strict reader limits the depth of nesting, and its messages have a column.
  config::Problems problems;
  const auto document =
      config::JsonDocument::Parse(std::string(line.substr(kChecksumDigits + 1)), where, problems);
  problems.ThrowIfAny();
  auto object = ordered_json::parse(document->Text());
  if (!object.is_object()) {
    throw config::InputError({{.where = where, .path = "", .message = "is not an object"}});
  }
  return object;
}

// The parts that must not change when a measurement continues. Blocks, metric and limits may.
struct PlanHead {
  std::vector<std::pair<std::string, std::vector<std::string>>> keys;
  std::vector<std::string> cells;            // checksums
  std::map<std::string, std::string> files;  // checksums by the names in parameters
  std::string perturbed;
  std::uint64_t rounds;
  std::uint64_t warmup;
  std::uint64_t seed;
};

record::Of<PlanHead> RecordOf(const PlanHead* /*type*/) {
  using T = PlanHead;
  return {"PlanHead",
          {{"keys", &T::keys, "The values of what differs between cells, by its name"},
           {"cells", &T::cells, "A checksum of each cell"},
           {"files", &T::files, "A checksum of each file that a parameter names"},
           {"perturbed", &T::perturbed, report::kPerturbedDoc, {record::kNull}},
           {"rounds", &T::rounds, "In a block"},
           {"warmup", &T::warmup, "Warm-up rounds"},
           {"seed", &T::seed, report::kSeedDoc}}};
}

std::map<std::string, std::string> FilesOf(const harness::ExperimentPlan& plan) {
  std::map<std::string, std::string> files;
  for (const harness::Group& group : plan.groups) {
    config::Problems ignored;
    const config::Settings parameters =
        config::SettingsFromJson(group.workload.entry->schema(), group.workload.parameters,
                                 std::string(group.workload.entry->name), ignored);
    for (const std::string& file : config::FilesOf(parameters)) {
      if (!files.contains(file)) {
        files[file] = platform::FileChecksum(file);
      }
    }
  }
  return files;
}

PlanHead HeadOf(const JournaledPlan& plan) {
  PlanHead head{.keys = {},
                .cells = {},
                .files = FilesOf(plan.experiment),
                .perturbed = plan.perturbed,
                .rounds = plan.experiment.rounds,
                .warmup = plan.experiment.warmup,
                .seed = plan.experiment.seed};
  for (const harness::SweepKey& key : plan.keys) {
    head.keys.emplace_back(key.name, key.values);
  }
  std::map<std::size_t, std::string> cells;
  for (const harness::Group& group : plan.experiment.groups) {
    for (std::size_t i = 0; i < group.cells.size(); ++i) {
      const harness::Alternative& one = group.alternatives[i];
      cells[group.cells[i]] = platform::ChecksumOf(
          fmt::format("{}\n{}\n{}\n{}\n{}", one.name, one.scheduler, one.config,
                      group.workload.entry->name, group.workload.parameters));
    }
  }
  head.cells = VectorOf(cells | std::views::values, std::identity());
  return head;
}

// Compares the values of each key. They are objects by the name of the key.
void CompareKeys(const ordered_json& saved, const ordered_json& now, Differences& differences) {
  for (const auto& [key, values] : saved.items()) {
    if (now.contains(key)) {
      differences.Compare(fmt::format("plan, {}", config::Escaped(key, 200)), values, now.at(key));
    } else {
      differences.Add(fmt::format("plan: the key {} is missing now", config::Quoted(key)));
    }
  }
  for (const auto& [key, values] : now.items()) {
    if (!saved.contains(key)) {
      differences.Add(fmt::format("plan: the key {} is not in the file", config::Quoted(key)));
    }
  }
}

void ComparePlans(const PlanHead& saved, const PlanHead& now, Differences& differences) {
  CompareKeys(record::ToJson(saved.keys), record::ToJson(now.keys), differences);
  differences.Compare("plan, perturbed", saved.perturbed, now.perturbed);
  differences.Compare("plan, rounds", saved.rounds, now.rounds);
  differences.Compare("plan, warmup", saved.warmup, now.warmup);
  differences.Compare("plan, seed", saved.seed, now.seed);
  if (saved.keys == now.keys && saved.cells != now.cells) {
    differences.Add("plan: the schedulers, their configs or the workload have changed");
  } else if (saved.keys == now.keys) {
    for (const auto& [file, checksum] : now.files) {
      if (const auto found = saved.files.find(file);
          found == saved.files.end() || found->second != checksum) {
        differences.Add(fmt::format("plan: the content of {} has changed", config::Quoted(file)));
      }
    }
  }
}

std::string KindOf(std::string_view command) {
  return fmt::format("{}-journal", command);
}

// The first line.
struct JournalHead {
  std::string kind;
  std::int64_t version;
  PlanHead plan;
  Origin origin;
};

record::Of<JournalHead> RecordOf(const JournalHead* /*type*/) {
  using T = JournalHead;
  return {"JournalHead",
          {{"kind", &T::kind, "Whose journal it is"},
           {"version", &T::version, "Of the format"},
           {"plan", &T::plan, "What is measured"},
           {record::kInline, &T::origin, ""}}};
}

// Returns the facts of the machine that do not change from hour to hour.
ordered_json FactsOf(const harness::Place& place) {
  return {{"host", place.machine.host},
          {"cpu_model", place.machine.cpu_model},
          {"cpus", place.machine.cpus},
          {"kernel", place.machine.kernel}};
}

// Checks that a known machine of this name is the same one.
void ComparePlaces(const std::vector<harness::PlacePtr>& places,
                   const std::map<std::string, ordered_json>& saved, Differences& differences) {
  for (const harness::PlacePtr& place : places) {
    const auto known = saved.find(place->name);
    if (known == saved.end()) {
      continue;
    }
    const ordered_json facts = FactsOf(*place);
    for (const auto& [key, now] : facts.items()) {
      differences.Compare(fmt::format("{}, {}", place->Text(), key),
                          known->second.value(key, ordered_json()), now);
    }
  }
}

// A line of a block or its failure.
struct BlockLine {
  std::size_t cell = 0;
  std::size_t block = 0;
  harness::Series series = {};  // the series without its blocks and its config
  std::vector<harness::RoundReply> rounds = {};
  std::string config = "";
};

record::Of<BlockLine> RecordOf(const BlockLine* /*type*/) {
  using enum record::Presence;
  using T = BlockLine;
  using Of = harness::Series;
  return {"BlockLine",
          {{"cell", &T::cell, "Counted from 0"},
           {"block", &T::block, "Counted from 0"},
           {"place", &T::series, &Of::place, "What measured it; none: this machine", {kOmitted}},
           {"failure", &T::series, &Of::failure, "Why there is no block", {kOmitted}},
           {"details", &T::series, &Of::details, "Lines that explain the failure", {kOmitted}},
           {"refused", &T::series, &Of::refused, "It could not begin there", {kOmitted}},
           {"absent", &T::series, &Of::absent, "There is no such workload there", {kOmitted}},
           {"rounds", &T::rounds, "Rounds of the block", {kOmitted}},
           {"effective_config", &T::config, record::kJsonText, "What was in effect", {kOmitted}},
           {"audit", &T::series, &Of::audit, "What the work was made of", {kOmitted}},
           {"disturbed", &T::series, &Of::disturbed, "What else ran, but it counts", {kOmitted}}}};
}

// Returns whether a first line without an end may be a cut head, not another kind of file.
bool MayBeCutHead(std::string_view line, std::string_view command) {
  const std::string start = fmt::format(R"( {{"kind":"{}",)", KindOf(command));
  // A shorter line does not have data, and might belong to any file.
  return line.size() >= kChecksumDigits + start.size() &&
         line.substr(0, kChecksumDigits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos &&
         line.substr(kChecksumDigits).starts_with(start);
}

[[noreturn]] void Refuse(const std::string& path, const std::string& message) {
  throw config::InputError(
      {{.where = config::Escaped(path, 4096), .path = "", .message = message}});
}

}  // namespace

Journal::Journal(const std::string& path, JournaledPlan& plan, const platform::MachineInfo& machine,
                 bool takes_seed, std::string_view command, std::string_view remedy)
    : path_(path),
      command_(command),
      remedy_(remedy),
      file_(path) {
  Read(plan, machine, takes_seed);
}

void Journal::Take(const SavedValue& line, std::map<std::string, ordered_json>& places) {
  const std::string place = line.Value().contains("place") ? line.Text("place") : "";
  if (line.Value().contains("machine")) {
    places[place] = line.Object("machine");
    return;
  }
  auto [cell, block, series, rounds, config] = line.As<BlockLine>();
  line.Require(!series.failure.empty() || !rounds.empty(), "has neither rounds nor a failure");
  series.config = std::move(config);
  if (series.failure.empty()) {
    series.blocks.push_back(std::move(rounds));
  }
  // The machine's limit or a missing file may be repaired: ask again.
  if (!series.refused) {
    known_[{cell, block, place}] = std::move(series);
    places_of_[block].insert(place);
  }
}

void Journal::Read(JournaledPlan& plan, const platform::MachineInfo& machine, bool takes_seed) {
  const std::string text = file_.Read(kLargestJournal);
  const std::string written_by = fmt::format("{} --journal FILE; {}", command_, remedy_);
  const auto refuse_as_another = [this] {
    Refuse(path_, fmt::format("is not a journal of schedbench {}; {}", command_, remedy_));
  };
  std::optional<ordered_json> head;
  std::map<std::string, ordered_json> places;
  std::size_t valid = 0;  // number of valid bytes
  for (std::size_t number = 1; valid < text.size(); ++number) {
    const std::size_t end = text.find('\n', valid);
    const bool is_last = end == std::string::npos || end + 1 == text.size();
    const std::string_view line =
        std::string_view(text).substr(valid, end == std::string::npos ? end : end - valid);
    const std::string where = fmt::format("{}: line {}", config::Escaped(path_, 4096), number);
    const auto object = end == std::string::npos ? std::nullopt : ObjectOf(line, where);
    if (!object) {
      if (!head && !(end == std::string::npos && MayBeCutHead(line, command_))) {
        refuse_as_another();
      }
      if (!is_last) {
        Refuse(path_, fmt::format("line {} is damaged; {}", number, remedy_));
      }
      trouble_ = end == std::string::npos ? "the last line was incomplete"
                                          : "the last line was damaged, and is measured again";
      break;
    }
    if (head) {
      Take(SavedValue(where, *object, written_by), places);
    } else if (object->contains("kind") && object->at("kind") == KindOf(command_)) {
      head = *object;
    } else {
      refuse_as_another();
    }
    valid = end + 1;
  }
  if (!head) {
    file_.Truncate(0);
    file_.Append(LineOf(record::ToJson(JournalHead{
        KindOf(command_), kJournalVersion, HeadOf(plan), {machine, registry::ThisBuild()}})));
    AddPlaces(plan.experiment.places, places);
    return;
  }
  const SavedValue root(path_, *head, written_by);
  Differences differences(
      fmt::format("{} is the journal of another schedbench {}", config::Quoted(path_), command_),
      remedy_);
  differences.Compare("journal, version", root.At("version").Value(), kJournalVersion);
  differences.ThrowIfAny();
  const auto saved = root.As<JournalHead>();
  if (takes_seed) {
    plan.experiment.seed = saved.plan.seed;
  }
  ComparePlans(saved.plan, HeadOf(plan), differences);
  if (plan.experiment.places.empty()) {
    CompareMachines(root, machine, differences);
  }
  CompareWhere(plan.experiment, differences);
  CompareBuilds(root, differences);
  // Unlike a saved result, a journal is part of the same measurement.
  differences.Compare("build, revision", saved.origin.build.revision,
                      registry::ThisBuild().revision);
  ComparePlaces(plan.experiment.places, places, differences);
  differences.ThrowIfAny();
  file_.Truncate(valid);
  AddPlaces(plan.experiment.places, places);
}

// Blocks of this machine and blocks of named machines are not mixed.
void Journal::CompareWhere(const harness::ExperimentPlan& plan, Differences& differences) const {
  std::set<std::string> names;
  for (const auto& [block, places] : places_of_) {
    names.insert(places.begin(), places.end());
  }
  const bool has_own = names.erase("") > 0;
  if (plan.places.empty() && !names.empty()) {
    differences.Add(fmt::format("the blocks are of other machines    --host {}",
                                config::Escaped(fmt::format("{}", fmt::join(names, ",")))));
  } else if (!plan.places.empty() && has_own) {
    differences.Add("the blocks are of this machine, without --host and --slurm");
  }
}

void Journal::AddPlaces(const std::vector<harness::PlacePtr>& places,
                        const std::map<std::string, ordered_json>& saved) {
  for (const harness::PlacePtr& place : places) {
    if (!saved.contains(place->name)) {
      file_.Append(LineOf({{"place", place->name}, {"machine", FactsOf(*place)}}));
    }
  }
}

std::optional<harness::Series> Journal::Known(std::size_t cell, std::size_t block,
                                              const std::string& place) const {
  const auto found = known_.find({cell, block, place});
  return found == known_.end() ? std::nullopt : std::optional(found->second);
}

std::vector<std::string> Journal::PlacesOf(std::size_t block) const {
  const auto found = places_of_.find(block);
  return found == places_of_.end()
             ? std::vector<std::string>()
             : std::vector<std::string>(found->second.begin(), found->second.end());
}

void Journal::Add(std::size_t cell, std::size_t block, const harness::Series& series) {
  BlockLine line{.cell = cell, .block = block, .series = series, .config = series.config};
  if (series.failure.empty()) {
    line.rounds = std::move(line.series.blocks.front());
  }
  file_.Append(LineOf(record::ToJson(line)));
}

std::unique_ptr<Journal> JournalOf(const Arguments& arguments, JournaledPlan plan,
                                   std::uint64_t& seed, const platform::MachineInfo& machine,
                                   std::string_view command) {
  const auto path = arguments[kJournalFlag];
  if (!path) {
    return nullptr;
  }
  const bool is_typed =
      std::ranges::find(arguments.order, kJournalFlag.name) != arguments.order.end();
  std::unique_ptr<Journal> journal;
  try {
    journal = std::make_unique<Journal>(
        *path, plan, machine, !arguments.Has(kSeedFlag), command,
        is_typed ? std::string(kOtherJournal)
                 : fmt::format("to start again, choose another name of the {}, or remove {}",
                               command, config::Quoted(*path)));
  } catch (const platform::JournalRefused& refused) {
    throw config::InputError(refused.what());
  }
  seed = plan.experiment.seed;
  const std::string& trouble = journal->Trouble();
  if (!trouble.empty() || (!arguments[kQuietFlag] && journal->KnownBlocks() > 0)) {
    Say(fmt::format("{}: continues after {}{}{}\n", config::Escaped(*path, 4096),
                    report::Plural(journal->KnownBlocks(), "begun block"),
                    trouble.empty() ? "" : "; ", trouble));
  }
  return journal;
}

}  // namespace schedbench::cli
