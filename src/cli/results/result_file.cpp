#include "cli/results/result_file.hpp"

#include "config/input_error.hpp"
#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "harness/result.hpp"
#include "report/parts/json_parts.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>

namespace schedbench::cli {

using nlohmann::ordered_json;

namespace {

// A round takes about 2 kB of JSON: 20 blocks of 3 rounds of 9 workloads under 7 runtimes, 8 MB.
constexpr config::JsonDocument::FileKind kResult{.name = "result",
                                                 .largest = std::size_t{256} << 20U};

std::string Short(const ordered_json& value) {
  return config::Escaped(value.dump(-1, ' ', false, ordered_json::error_handler_t::replace), 400);
}

constexpr std::array kMachineKeys{"cpu_model",    "architecture", "cpus_online",
                                  "cpus_allowed", "cpu_list",     "governor",
                                  "virtualised",  "page_bytes",   "kernel"};
// The revision is missing: to compare revisions is the purpose of a saved result.
constexpr std::array kBuildKeys{"compiler",  "build_type", "flags",
                                "sanitizer", "allocator",  "context_switch"};

template <typename Keys>
ordered_json Members(const ordered_json& object, const Keys& keys) {
  ordered_json members = ordered_json::object();
  for (const char* const key : keys) {
    members[key] = object.at(key);
  }
  return members;
}

void CompareMembers(std::string_view what, const ordered_json& saved, const ordered_json& now,
                    Differences& differences) {
  for (const auto& [key, value] : saved.items()) {
    differences.Compare(fmt::format("{}, {}", what, key), value, now.at(key));
  }
}

}  // namespace

SavedValue::SavedValue(const std::string& file, const Json& value, std::string_view command,
                       std::string pointer)
    : file_(file),
      value_(value),
      command_(command),
      pointer_(std::move(pointer)) {
}

SavedValue SavedValue::At(std::string_view key) const {
  const std::string pointer = config::PointerStep(pointer_, key);
  Require(value_.is_object(), "is not an object");
  if (!value_.contains(key)) {
    Refuse(pointer, "is missing");
  }
  return {file_, value_.at(std::string(key)), command_, pointer};
}

const SavedValue::Json& SavedValue::Object(std::string_view key) const {
  const SavedValue place = At(key);
  place.Require(place.value_.is_object(), "is not an object");
  return place.value_;
}

std::vector<SavedValue> SavedValue::Elements() const {
  Require(value_.is_array(), "is not an array");
  std::vector<SavedValue> elements;
  for (const ordered_json& element : value_) {
    elements.emplace_back(file_, element, command_,
                          fmt::format("{}/{}", pointer_, elements.size()));
  }
  return elements;
}

void SavedValue::Read(const record::Type& type, void* value) const {
  try {
    type.read(value, value_, {.key = pointer_});
  } catch (const record::ReadError& error) {
    Refuse(error.Pointer(), error.Complaint());
  }
}

void SavedValue::Require(bool good, std::string_view complaint) const {
  if (!good) {
    Refuse(pointer_, complaint);
  }
}

void SavedValue::Refuse(const std::string& pointer, std::string_view complaint) const {
  throw config::InputError(
      {{.where = config::Escaped(file_, 4096),
        .path = pointer,
        .message = fmt::format("{}; expected a result of schedbench {}", complaint, command_)}});
}

void RequirePlainMeasurement(const std::string& file, const ordered_json& result) {
  for (const auto& [key, what] :
       {std::pair{"observed", "is from a run with costs of its own: it was"},
        std::pair{"perturbed", "was disturbed on purpose:"}}) {
    if (const auto found = result.find(key); found != result.end() && found->is_string()) {
      throw NotComparable(fmt::format("{} {} {}    measure again without it", config::Quoted(file),
                                      what, config::Escaped(found->get<std::string>())));
    }
  }
  if (const auto places = result.find("places");
      places != result.end() && places->is_array() && !places->empty()) {
    throw NotComparable(
        fmt::format("{} was measured on other machines    measure on this one, without --host and "
                    "--slurm",
                    config::Quoted(file)));
  }
}

ordered_json ReadResultFile(const std::string& file) {
  config::Problems problems;
  // The strict reader has limits, and messages with line and column.
  const auto document = config::JsonDocument::ReadFile(file, problems, kResult);
  problems.ThrowIfAny();
  return ordered_json::parse(document->Text());
}

Differences::Differences(const SavedValue& root, std::string_view what, std::string_view command)
    : Differences(fmt::format("{} is not comparable", config::Quoted(root.File())),
                  fmt::format("{} again, here and with this build: schedbench {} -o FILE.json",
                              what, command)) {
  // In another version the other fields may have another meaning.
  Compare("schema_version", root.Count("schema_version"), harness::kSchemaVersion);
  ThrowIfAny();
}

void Differences::Compare(const std::string& what, const ordered_json& saved,
                          const ordered_json& now) {
  if (saved != now) {
    Add(fmt::format("{}: {} in the file, {} {}", what, Short(saved), Short(now), other_));
  }
}

void Differences::Add(std::string line) {
  lines_.push_back("  " + std::move(line));
}

void Differences::ThrowIfAny() const {
  if (!lines_.empty()) {
    throw NotComparable(fmt::format("{}:\n{}\n{}", head_, fmt::join(lines_, "\n"), remedy_));
  }
}

record::Of<Origin> RecordOf(const Origin* /*type*/) {
  return {"Origin", {{"machine", &Origin::machine, ""}, {"build", &Origin::build, ""}}};
}

ordered_json MachineFacts(const platform::MachineInfo& machine) {
  return Members(record::ToJson(machine), kMachineKeys);
}

ordered_json BuildKind(const registry::BuildInfo& build) {
  return Members(record::ToJson(build), kBuildKeys);
}

void CompareMachines(const SavedValue& root, const platform::MachineInfo& now,
                     Differences& differences) {
  CompareMembers("machine", MachineFacts(root.At("machine").As<platform::MachineInfo>()),
                 MachineFacts(now), differences);
}

void CompareBuilds(const SavedValue& root, Differences& differences) {
  CompareMembers("build", BuildKind(root.At("build").As<registry::BuildInfo>()),
                 BuildKind(registry::ThisBuild()), differences);
}

void CompareOrigins(const SavedValue& root, const platform::MachineInfo& now,
                    Differences& differences) {
  CompareMachines(root, now, differences);
  CompareBuilds(root, differences);
}

void CompareExtents(const SavedValue& root, const harness::Extent& extent,
                    Differences& differences) {
  differences.Compare("rounds in a block (--rounds)", root.Count("rounds"), extent.rounds);
  differences.Compare("warm-up (--warmup)", root.Count("warmup"), extent.warmup);
}

}  // namespace schedbench::cli
