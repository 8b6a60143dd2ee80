#pragma once

#include "harness/experiment/plan.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "registry/build_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

// Reads a result of `compare -o FILE.json` or `doctor -o FILE.json`. Sources that use its JSON
// values include <nlohmann/json.hpp>.

namespace schedbench::cli {

// A value of the file and its location there. Must not outlive the file's name and its JSON. A
// wrong value throws config::InputError with its location.
class SavedValue {
 public:
  using Json = nlohmann::ordered_json;

  // `command`: the command that writes such files, for messages: "compare -o FILE.json".
  SavedValue(const std::string& file, const Json& value, std::string_view command,
             std::string pointer = "");

  const Json& Value() const {
    return value_;
  }
  const std::string& File() const {
    return file_;
  }

  SavedValue At(std::string_view key) const;
  std::string Text(std::string_view key) const {
    return At(key).As<std::string>();
  }
  std::uint64_t Count(std::string_view key) const {
    return At(key).As<std::uint64_t>();
  }
  const Json& Object(std::string_view key) const;
  // Returns a value that has a record.
  template <typename T>
  T As() const {
    T value{};
    Read(record::kType<T>, &value);
    return value;
  }
  std::vector<SavedValue> Elements() const;
  void Require(bool good, std::string_view complaint) const;

 private:
  void Read(const record::Type& type, void* value) const;
  [[noreturn]] void Refuse(const std::string& pointer, std::string_view complaint) const;

  const std::string& file_;
  const Json& value_;
  std::string_view command_;
  std::string pointer_;
};

// Reads the file. Throws config::InputError if it does not exist or is not JSON.
nlohmann::ordered_json ReadResultFile(const std::string& file);

// The machine, build or work differs: exit code 5. what() has a line for each difference.
class NotComparable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws NotComparable for a result that cannot be compared: its run was recorded, sampled or
// disturbed on purpose, or was measured on other machines than this one.
void RequirePlainMeasurement(const std::string& file, const nlohmann::ordered_json& result);

// Differences between a file and this run.
class Differences {
 public:
  // `root`: a result that `command` can repeat. Throws NotComparable for another schema version.
  Differences(const SavedValue& root, std::string_view what, std::string_view command);
  // `head` describes a file with differences, `remedy` what to do, `other` the compared side.
  Differences(std::string head, std::string remedy, std::string other = "now")
      : head_(std::move(head)),
        remedy_(std::move(remedy)),
        other_(std::move(other)) {
  }

  void Compare(const std::string& what, const nlohmann::ordered_json& saved,
               const nlohmann::ordered_json& now);
  void Add(std::string line);

  // Throws NotComparable if there are differences.
  void ThrowIfAny() const;

 private:
  const std::string head_;
  const std::string remedy_;
  const std::string other_;
  std::vector<std::string> lines_;
};

// The origin of a result.
struct Origin {
  platform::MachineInfo machine;
  registry::BuildInfo build;
};
record::Of<Origin> RecordOf(const Origin* /*type*/);

// Returns the facts of the machine that affect results and do not change from hour to hour.
nlohmann::ordered_json MachineFacts(const platform::MachineInfo& machine);

// Returns the kind of build, without its revision.
nlohmann::ordered_json BuildKind(const registry::BuildInfo& build);

// Compares the lasting facts that affect results. Requires: `root` is the value of a result.
void CompareMachines(const SavedValue& root, const platform::MachineInfo& now,
                     Differences& differences);

// Compares the kind of build, not its revision. Requires: `root` is the value of a result.
void CompareBuilds(const SavedValue& root, Differences& differences);

// Compares the machine and the build.
void CompareOrigins(const SavedValue& root, const platform::MachineInfo& now,
                    Differences& differences);

// Compares the extent of a block: its rounds and warm-up.
void CompareExtents(const SavedValue& root, const harness::Extent& extent,
                    Differences& differences);

}  // namespace schedbench::cli
