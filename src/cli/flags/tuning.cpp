#include "cli/flags/tuning.hpp"

#include "cli/flags/alternatives.hpp"
#include "cli/flags/config_file.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/peers.hpp"
#include "cli/flags/value_list.hpp"
#include "config/parse_value.hpp"
#include "config/quote.hpp"
#include "config/settings_json.hpp"
#include "config/suggest.hpp"
#include "harness/tune/candidates.hpp"
#include "harness/tune/decision.hpp"
#include "platform/threads/thread.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace schedbench::cli {

namespace {

using config::Problems;
using config::Quoted;
using harness::TunePlace;

constexpr std::string_view kWorkersPath = "workers";
// The values that the help of --candidates states.
constexpr std::size_t kFewCandidates = 28;
constexpr std::size_t kManyCandidates = 82;
constexpr std::size_t kFewFields = 8;

// The default: common patterns with rounds of some 50 ms. It takes the first two unsearched ones.
constexpr std::array<std::string_view, 4> kUsualHoldOut{
    "spawn_join:preset=small", "channel_mpmc:preset=small", "pingpong:preset=small",
    "mutex:preset=small"};
constexpr std::size_t kHeldOut = 2;

class TunePlanner {
 public:
  explicit TunePlanner(const Arguments& arguments)
      : arguments_(arguments) {
  }

  harness::TunePlan Make() {
    AddWorkloads();
    AddObjectives();
    RefuseFixedThroughput();
    ChooseScheduler();
    problems_.ThrowIfAny();
    AddHoldOut();
    AddFields();
    problems_.ThrowIfAny();
    AddCandidates();
    problems_.ThrowIfAny();
    SetExtentOfSearch();
    return std::move(plan_);
  }

 private:
  void AddWorkloads() {
    for (const std::string& text : arguments_[kSearchedFlag]) {
      AddWorkload(text, kWorkloadsFlag, plan_.workloads, problems_);
    }
    plan_.searched = plan_.workloads.size();
  }

  void AddObjectives() {
    for (const std::string& name : arguments_[kObjectiveFlag]) {
      const auto found = std::ranges::find(harness::kObjectiveNames, name);
      const auto objective =
          static_cast<harness::Objective>(found - harness::kObjectiveNames.begin());
      if (std::ranges::find(plan_.objectives, objective) != plan_.objectives.end()) {
        Reject(problems_, PlaceOf(kObjectiveFlag, name), "is given twice");
      } else {
        plan_.objectives.push_back(objective);
      }
    }
  }

  // Refuses throughput as the objective of workloads that fix it: they are tuned for their latency.
  void RefuseFixedThroughput() {
    const auto paced = [](const harness::ComparedWorkload& workload) {
      return registry::IsPaced(*workload.entry);
    };
    const auto& workloads = plan_.workloads;
    const auto found = std::ranges::find_if(workloads, paced);
    const auto objective = std::ranges::find(plan_.objectives, harness::Objective::kThroughput);
    if (found == workloads.end() || objective == plan_.objectives.end()) {
      return;
    }
    if (!arguments_.Has(kObjectiveFlag) && std::ranges::all_of(workloads, paced)) {
      *objective = harness::Objective::kP99;
      return;
    }
    Reject(problems_, PlaceOf(kWorkloadsFlag, found->name),
           "the parameters of {} fix its throughput    --objective p99", found->entry->name);
  }

  void ChooseScheduler() {
    const std::vector<std::string> words =
        arguments_.words.empty() ? std::vector<std::string>{"fast"} : arguments_.words;
    std::vector<GridScheduler> schedulers = GridSchedulersOf(
        AlternativesAndPeers(arguments_, words, std::nullopt, problems_), problems_);
    if (schedulers.size() > 1) {
      Reject(problems_, config::Escaped(words.front()),
             "tune improves one scheduler; this stands for {}", schedulers.size());
    } else if (schedulers.size() == 1) {
      scheduler_ = std::move(schedulers.front());
      // Rules then name the field, and distinguish a chosen value from a listed default.
      config::Settings& settings = *scheduler_->settings;
      for (const config::Leaf& leaf : settings.GetSchema().Leaves()) {
        settings.Set(leaf.path, settings.Get(leaf.path), {"settings", "/" + leaf.path});
      }
    }
  }

  void AddHoldOut() {
    const std::vector<std::string> texts = arguments_[kHoldOutFlag];
    const bool has_none = std::ranges::find(texts, kNoHoldOut) != texts.end();
    if (has_none && texts.size() > 1) {
      Reject(problems_, PlaceOf(kHoldOutFlag, kNoHoldOut),
             "cannot be combined with other workloads");
    } else if (!texts.empty() && !has_none) {
      for (const std::string& text : texts) {
        AddWorkload(text, kHoldOutFlag, plan_.workloads, problems_);
      }
    } else if (!has_none) {
      for (const std::string_view text : kUsualHoldOut) {
        AddUsualHoldOut(std::string(text));
      }
    }
  }

  // Adds the workload, which a user's program may lack.
  void AddUsualHoldOut(const std::string& text) {
    const registry::WorkloadEntry* const entry =
        registry::FindWorkload(std::string_view(text).substr(0, text.find(':')));
    const bool is_searched =
        std::ranges::count(plan_.workloads, entry, &harness::ComparedWorkload::entry) > 0;
    if (entry != nullptr && !is_searched && plan_.workloads.size() < plan_.searched + kHeldOut) {
      AddWorkload(text, kHoldOutFlag, plan_.workloads, problems_);
    }
  }

  const config::Schema& SchemaOfScheduler() const {
    return scheduler_->entry->schema();
  }

  void AddFields() {
    const std::vector<std::string> overs = arguments_[kOverFlag];
    if (overs.empty()) {
      Reject(problems_, kOverFlag,
             "is missing: which fields of the config to vary    --over lifo_limit or --over all");
    }
    for (const std::string& text : overs) {
      if (text == kAllFields) {
        all_ = true;
      } else {
        AddField(text);
      }
    }
    if (all_ && problems_.empty()) {
      AddOtherFields();
    }
  }

  void AddField(const std::string& text) {
    const std::size_t sign = text.find('=');
    const std::string path = text.substr(0, sign);
    const std::string place = PlaceOf(kOverFlag, text);
    const config::Leaf* const leaf = SchemaOfScheduler().FindLeaf(path);
    if (leaf == nullptr) {
      problems_.Add(place, "", UnknownField(path));
      return;
    }
    if (std::ranges::find(plan_.fields, path, &harness::TuneField::path) != plan_.fields.end()) {
      Reject(problems_, place, "{} is given twice", Quoted(path));
      return;
    }
    std::vector<config::Value> values;
    if (sign == std::string::npos) {
      values = ValuesAround(*leaf);
    } else {
      const auto texts = ParseValueList(std::string_view(text).substr(sign + 1), place, problems_);
      if (texts.empty()) {
        return;
      }
      for (const std::string& value : texts) {
        config::ParsedValue parsed = config::ParseText(*leaf->field, value);
        if (!parsed.value) {
          problems_.Add(place, "", std::move(parsed.error));
          return;
        }
        values.push_back(path == kWorkersPath && *parsed.value == config::Value(std::uint64_t{0})
                             ? config::Value(std::uint64_t{platform::AvailableCpus()})
                             : *parsed.value);
      }
    }
    AddValues(*leaf, std::move(values));
    if (plan_.fields.back().values.size() < 2) {
      Reject(problems_, place, "the default has this value; give another one");
    }
  }

  std::string UnknownField(const std::string& path) const {
    for (const harness::ComparedWorkload& workload : plan_.workloads) {
      if (workload.entry->schema().FindLeaf(path) != nullptr) {
        return fmt::format(
            "{} is a parameter of {}; tune varies fields of the config    schedbench sweep --over "
            "{}=LIST",
            Quoted(path), workload.entry->name, config::Escaped(path));
      }
    }
    std::vector<std::string_view> known = SchemaOfScheduler().LeafPaths();
    known.push_back(kAllFields);
    return fmt::format("scheduler {} has no field {}{}    schedbench describe scheduler {}",
                       scheduler_->entry->name, Quoted(path), config::DidYouMean(path, known),
                       scheduler_->entry->name);
  }

  // More workers than CPUs are not candidates unless a list has them.
  std::vector<config::Value> ValuesAround(const config::Leaf& leaf) const {
    const config::Value now = scheduler_->settings->Get(leaf.path);
    if (leaf.path != kWorkersPath || !std::holds_alternative<std::uint64_t>(now)) {
      return harness::ValuesAround(*leaf.field, now);
    }
    std::vector<config::Value> values = harness::ValuesAround(
        *leaf.field, now,
        std::max<std::uint64_t>(platform::AvailableCpus(), std::get<std::uint64_t>(now)));
    // 0 is one for each CPU, which is among them.
    std::erase(values, config::Value(std::uint64_t{0}));
    return values;
  }

  // Adds the field with these values and the default's, each once.
  void AddValues(const config::Leaf& leaf, std::vector<config::Value> values) {
    const config::Value now = scheduler_->settings->Get(leaf.path);
    values.push_back(now);
    const bool is_ordered = harness::IsOrdered(*leaf.field);
    if (is_ordered) {
      std::ranges::sort(values);
    }
    harness::TuneField field{.path = leaf.path, .values = {}, .is_ordered = is_ordered};
    for (const config::Value& value : values) {
      std::string text = config::ToText(value);
      if (std::ranges::find(field.values, text) == field.values.end()) {
        field.values.push_back(std::move(text));
      }
    }
    field.default_value = static_cast<std::size_t>(
        std::ranges::find(field.values, config::ToText(now)) - field.values.begin());
    plan_.fields.push_back(std::move(field));
  }

  // Adds fields with an effect in the default's settings, or with a value of another field.
  void AddOtherFields() {
    for (const config::Leaf& leaf : SchemaOfScheduler().Leaves()) {
      const bool is_known = std::ranges::find(plan_.fields, leaf.path, &harness::TuneField::path) !=
                            plan_.fields.end();
      if (!is_known) {
        AddValues(leaf, ValuesAround(leaf));
        if (plan_.fields.back().values.size() < 2) {
          plan_.fields.pop_back();
        }
      }
    }
  }

  // Returns the settings of a combination; none if a rule forbids it. Resets fields without effect.
  std::optional<config::Settings> SettingsAt(TunePlace& place) const {
    constexpr int kMostRules = 100;  // rules that free each other's fields
    for (int i = 0; i < kMostRules; ++i) {
      config::Settings settings = *scheduler_->settings;
      for (std::size_t field = 0; field < place.size(); ++field) {
        const harness::TuneField& one = plan_.fields[field];
        const config::Leaf& leaf = *SchemaOfScheduler().FindLeaf(one.path);
        if (place[field] != one.default_value) {
          settings.Set(one.path, *config::ParseText(*leaf.field, one.values[place[field]]).value,
                       {"settings", "/" + one.path});
        }
      }
      Problems found;
      Finish(settings, found);
      if (found.empty()) {
        return settings;
      }
      rule_ = found.List().front().message;
      if (!FreeUnused(found, settings, place)) {
        return std::nullopt;
      }
      // A default's field that this combination makes useless has its built-in value.
      found = Problems();
      Finish(settings, found);
      if (found.empty()) {
        return settings;
      }
    }
    return std::nullopt;
  }

  // Resets fields without effect. Returns false if there is another problem.
  bool FreeUnused(const Problems& found, config::Settings& settings, TunePlace& place) const {
    for (const config::Problem& problem : found.List()) {
      if (!problem.if_chosen || !problem.path.starts_with('/')) {
        return false;
      }
      const std::string path = problem.path.substr(1);
      const auto field = std::ranges::find(plan_.fields, path, &harness::TuneField::path);
      if (field != plan_.fields.end()) {
        place[static_cast<std::size_t>(field - plan_.fields.begin())] = field->default_value;
      }
      settings.Set(path, SchemaOfScheduler().FindLeaf(path)->field->default_value,
                   {"settings", "/" + path});
    }
    return true;
  }

  void AddCandidates() {
    const std::size_t usual = plan_.fields.size() > kFewFields ? kManyCandidates : kFewCandidates;
    const auto most = static_cast<std::size_t>(arguments_[kCandidatesFlag].value_or(usual));
    // Each search draws the same sample unless a seed is given, so that a journal continues.
    const std::uint64_t seed = arguments_[kSeedFlag].value_or(0);
    const harness::ChosenPlaces chosen = harness::ChoosePlaces(
        plan_.fields, most, seed, [this](const TunePlace& place) -> std::optional<TunePlace> {
          TunePlace effective = place;
          return SettingsAt(effective) ? std::optional(effective) : std::nullopt;
        });
    plan_.is_full_grid = chosen.is_full_grid;
    plan_.impossible = chosen.impossible;
    for (const TunePlace& place : chosen.places) {
      AddCandidate(place);
    }
    if (plan_.candidates.size() < 2) {
      Reject(problems_, kOverFlag, "{}",
             "no combination of the values but the default is possible and has an effect" +
                 (rule_.empty() ? "" : ": " + rule_));
    }
  }

  void AddCandidate(const TunePlace& place) {
    TunePlace effective = place;
    const auto settings = SettingsAt(effective);
    harness::TuneCandidate candidate{.place = place, .alternative = scheduler_->alternative};
    candidate.alternative.config = config::ToJson(*settings).dump();
    candidate.command = CommandOfSettings(*scheduler_->entry, *settings);
    for (std::size_t field = 0; field < place.size(); ++field) {
      const harness::TuneField& one = plan_.fields[field];
      if (place[field] != one.default_value) {
        candidate.changes.push_back(fmt::format("{}={}", one.path, one.values[place[field]]));
      }
    }
    plan_.candidates.push_back(std::move(candidate));
  }

  void SetExtentOfSearch() {
    constexpr std::uint32_t kBlocks = 20;
    const std::size_t winners = plan_.objectives.size() > 1 ? harness::kMostWinners : 1;
    const auto needed =
        static_cast<std::uint32_t>(harness::BlocksForDecision(plan_, winners, true));
    SetExtent(arguments_, std::max(kBlocks, needed), plan_);
    plan_.budget = arguments_[kBudgetFlag];
    plan_.min_effect = arguments_[kMinEffectFlag];
  }

  const Arguments& arguments_;
  Problems problems_;
  harness::TunePlan plan_;
  std::optional<GridScheduler> scheduler_;
  bool all_ = false;
  mutable std::string rule_;  // the last rule that a combination broke
};

}  // namespace

harness::TunePlan TunePlanOf(const Arguments& arguments) {
  return TunePlanner(arguments).Make();
}

}  // namespace schedbench::cli
