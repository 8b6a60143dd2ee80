#include "cli/results/journal.hpp"

#include "cli/flags/plan_from_flags.hpp"
#include "cli/output/delivery.hpp"
#include "cli/output/output.hpp"
#include "cli/results/result_file.hpp"
#include "config/file_fields.hpp"
#include "config/input_error.hpp"
#include "config/json_document.hpp"
#include "config/json_nesting.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "harness/agent/message.hpp"
#include "platform/files/file_checksum.hpp"
#include "registry/build_info.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/plan_text.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <variant>

namespace schedbench::cli {

namespace {

using nlohmann::ordered_json;

// Goes up when a journal of the former form would be misunderstood.
constexpr int kJournalVersion = 1;
constexpr std::size_t kChecksumDigits = 16;

std::string LineOf(const ordered_json& object) {
  const std::string text = object.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  return fmt::format("{} {}\n", platform::ChecksumOf(text), text);
}

// None: the line was damaged.
std::optional<ordered_json> ObjectOf(std::string_view line) {
  if (line.size() <= kChecksumDigits || line[kChecksumDigits] != ' ' ||
      line.substr(0, kChecksumDigits) != platform::ChecksumOf(line.substr(kChecksumDigits + 1))) {
    return std::nullopt;
  }
  line.remove_prefix(kChecksumDigits + 1);
  return config::NestsDeeperThan(line, config::JsonDocument::kDeepestNesting)
             ? ordered_json(ordered_json::value_t::discarded)
             : ordered_json::parse(line, nullptr, false);
}

// The checksum of each file that a parameter of a workload names.
ordered_json FilesJson(const harness::SweepPlan& plan) {
  ordered_json files = ordered_json::object();
  for (const harness::SweepCell& cell : plan.cells) {
    config::Problems ignored;
    const config::Settings parameters =
        config::SettingsFromJson(cell.workload.entry->schema(), cell.workload.parameters,
                                 std::string(cell.workload.entry->name), ignored);
    for (const std::string& file : config::FilesOf(parameters)) {
      if (!files.contains(file)) {
        files[file] = platform::FileChecksum(file);
      }
    }
  }
  return files;
}

// What must be the same when a sweep continues. Numbers of blocks, the metric and limits may change.
ordered_json PlanJson(const harness::SweepPlan& plan) {
  ordered_json keys = ordered_json::object();
  for (const harness::SweepKey& key : plan.keys) {
    keys[key.name] = key.values;
  }
  ordered_json cells = ordered_json::array();
  for (const harness::SweepCell& cell : plan.cells) {
    cells.push_back(platform::ChecksumOf(
        fmt::format("{}\n{}\n{}\n{}\n{}", cell.alternative.name, cell.alternative.scheduler,
                    cell.alternative.config, cell.workload.entry->name, cell.workload.parameters)));
  }
  return {{"keys", std::move(keys)},  {"cells", std::move(cells)},
          {"files", FilesJson(plan)}, {"perturbed", plan.perturbed},
          {"rounds", plan.rounds},    {"warmup", plan.warmup},
          {"seed", plan.seed}};
}

// Of the same cells: files whose content is another one, or is not in the journal of a former program.
void CompareFiles(const ordered_json& saved, const ordered_json& now, Differences& differences) {
  for (const auto& [file, checksum] : now.items()) {
    if (!saved.is_object() || !saved.contains(file) || saved.at(file) != checksum) {
      differences.Add(fmt::format("plan: the content of {} has changed", config::Quoted(file)));
    }
  }
}

// The values of each key, which are objects by the name of the key.
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

std::string KindOf(std::string_view command) {
  return fmt::format("{}-journal", command);
}

ordered_json HeadOf(const harness::SweepPlan& plan, const platform::MachineInfo& machine,
                    std::string_view command) {
  return {{"kind", KindOf(command)},
          {"version", kJournalVersion},
          {"plan", PlanJson(plan)},
          {"machine", report::MachineJson(machine)},
          {"build", report::BuildJson()}};
}

// Without what changes from hour to hour.
ordered_json FactsOf(const harness::Place& place) {
  return {{"host", place.machine.host},
          {"cpu_model", place.machine.cpu_model},
          {"cpus", place.machine.cpus},
          {"kernel", place.machine.kernel}};
}

// A place that was there before is to be the same machine.
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

ordered_json DisturbanceJson(const harness::Disturbance& disturbance) {
  return {{"steal_share", disturbance.steal_share},
          {"others_share", disturbance.others_share},
          {"busiest", disturbance.busiest},
          {"throttled", disturbance.throttled}};
}

harness::Disturbance DisturbanceOf(const ordered_json& object) {
  return {.steal_share = object.at("steal_share").get<double>(),
          .others_share = object.at("others_share").get<double>(),
          .busiest = object.at("busiest").get<std::string>(),
          .throttled = object.at("throttled").get<std::int64_t>()};
}

ordered_json RoundJson(const harness::RoundReply& round) {
  return ordered_json::parse(ToLine(harness::AgentReply(round)));
}

harness::RoundReply RoundOf(const ordered_json& round) {
  return std::get<harness::RoundReply>(harness::ParseReply(round.dump()));
}

harness::Series SeriesOf(const ordered_json& object) {
  harness::Series series;
  if (object.contains("failure")) {
    series.failure = object.at("failure").get<std::string>();
    series.details = object.at("details").get<std::vector<std::string>>();
    series.refused = object.at("refused").get<bool>();
    series.absent = object.at("absent").get<bool>();
  } else {
    std::vector<harness::RoundReply>& rounds = series.blocks.emplace_back();
    for (const ordered_json& round : object.at("rounds")) {
      rounds.push_back(RoundOf(round));
    }
  }
  if (object.contains("audit")) {
    series.audit = RoundOf(object.at("audit"));
  }
  if (object.contains("disturbed")) {
    series.disturbed = DisturbanceOf(object.at("disturbed"));
  }
  return series;
}

std::string NoJournal(std::string_view command) {
  return fmt::format("is not a journal of schedbench {}; name another file", command);
}

// Whether a first line without an end begins as every head does, so that no other file is taken for a journal that was cut.
bool MayBeCutHead(std::string_view line, std::string_view command) {
  const std::string start = fmt::format(R"( {{"kind":"{}",)", KindOf(command));
  // A shorter one has no data, and might be any file.
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

Journal::Journal(const std::string& path, harness::SweepPlan& plan,
                 const platform::MachineInfo& machine, bool takes_seed, std::string_view command)
    : path_(path),
      command_(command),
      file_(path) {
  Read(plan, machine, takes_seed);
}

void Journal::Read(harness::SweepPlan& plan, const platform::MachineInfo& machine,
                   bool takes_seed) {
  const std::string text = file_.Read();
  std::optional<ordered_json> head;
  std::map<std::string, ordered_json> places;
  std::size_t valid = 0;  // bytes
  for (std::size_t number = 1; valid < text.size(); ++number) {
    const std::size_t end = text.find('\n', valid);
    const bool is_last = end == std::string::npos || end + 1 == text.size();
    const std::string_view line =
        std::string_view(text).substr(valid, end == std::string::npos ? end : end - valid);
    const auto object = end == std::string::npos ? std::nullopt : ObjectOf(line);
    if (!object) {
      if (!head && !(end == std::string::npos && MayBeCutHead(line, command_))) {
        Refuse(path_, NoJournal(command_));
      }
      if (!is_last) {
        Refuse(path_, fmt::format("line {} is damaged; name another file to begin anew", number));
      }
      was_cut_ = true;
      break;
    }
    if (!head) {
      if (object->value("kind", "") != KindOf(command_)) {
        Refuse(path_, NoJournal(command_));
      }
      head = *object;
    } else {
      const std::string place = object->value("place", "");
      if (object->contains("machine")) {
        places[place] = object->at("machine");
      } else {
        const auto block = object->at("block").get<std::size_t>();
        harness::Series series = SeriesOf(*object);
        // A limit of the machine or a file that is missing there may be gone: it is asked again.
        if (!series.refused) {
          known_[{object->at("cell").get<std::size_t>(), block, place}] = std::move(series);
          places_of_[block].insert(place);
        }
      }
    }
    valid = end + 1;
  }
  if (!head) {
    file_.Truncate(0);
    file_.Append(LineOf(HeadOf(plan, machine, command_)));
    AddPlaces(plan.places, places);
    return;
  }
  if (takes_seed) {
    plan.seed = head->at("plan").at("seed").get<std::uint64_t>();
  }
  Differences differences;
  const SavedValue root(path_, *head, command_);
  differences.Compare("journal, version", root.At("version").Value(), kJournalVersion);
  const ordered_json now = PlanJson(plan);
  CompareKeys(root.At("plan").At("keys").Value(), now["keys"], differences);
  for (const char* const key : {"perturbed", "rounds", "warmup", "seed"}) {
    differences.Compare(fmt::format("plan, {}", key), root.At("plan").At(key).Value(), now[key]);
  }
  if (root.At("plan").At("keys").Value() == now["keys"]) {
    if (root.At("plan").At("cells").Value() != now["cells"]) {
      differences.Add("plan: the schedulers, their configs or the workload have changed");
    } else {
      CompareFiles(root.At("plan").Value().value("files", ordered_json()), now["files"],
                   differences);
    }
  }
  if (plan.places.empty()) {
    CompareMachines(root, machine, differences);
  }
  CompareWhere(plan, differences);
  CompareBuilds(root, differences);
  // Unlike a saved result, a journal is a part of the same measurement.
  differences.Compare("build, revision", root.At("build").At("revision").Value(),
                      report::BuildJson()["revision"]);
  ComparePlaces(plan.places, places, differences);
  differences.ThrowIfContinued(path_, command_);
  file_.Truncate(valid);
  AddPlaces(plan.places, places);
}

// Blocks of this machine alone and blocks of named machines are not mixed.
void Journal::CompareWhere(const harness::SweepPlan& plan, Differences& differences) const {
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
  ordered_json object{{"cell", cell}, {"block", block}};
  if (!series.place.empty()) {
    object["place"] = series.place;
  }
  if (!series.failure.empty()) {
    object["failure"] = series.failure;
    object["details"] = series.details;
    object["refused"] = series.refused;
    object["absent"] = series.absent;
  } else {
    object["rounds"] = ordered_json::array();
    for (const harness::RoundReply& round : series.blocks.front()) {
      object["rounds"].push_back(RoundJson(round));
    }
  }
  if (series.audit) {
    object["audit"] = RoundJson(*series.audit);
  }
  if (series.disturbed) {
    object["disturbed"] = DisturbanceJson(*series.disturbed);
  }
  file_.Append(LineOf(object));
}

std::unique_ptr<Journal> JournalOf(const Arguments& arguments, harness::SweepPlan& plan,
                                   const platform::MachineInfo& machine, std::string_view command) {
  const auto path = arguments.Value(kJournalFlag);
  if (!path) {
    return nullptr;
  }
  std::unique_ptr<Journal> journal;
  try {
    journal = std::make_unique<Journal>(*path, plan, machine, !arguments.Has(kSeedFlag), command);
  } catch (const platform::JournalRefused& refused) {
    throw config::InputError(refused.what());
  }
  if (!arguments.Has(kQuietFlag) && (journal->KnownBlocks() > 0 || journal->WasCut())) {
    Say(fmt::format("{}: continues after {}{}\n", config::Escaped(*path, 4096),
                    report::Plural(journal->KnownBlocks(), "block"),
                    journal->WasCut() ? "; the last line was incomplete" : ""));
  }
  return journal;
}

}  // namespace schedbench::cli
