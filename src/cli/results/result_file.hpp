#pragma once

#include "harness/compare/sampler.hpp"
#include "platform/machine/machine_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

// A result that `compare -o FILE.json` or `doctor -o FILE.json` has left, read back. Sources that use its JSON values include <nlohmann/json.hpp>.

namespace schedbench::cli {

// A value of the file that knows its place there. Lives no longer than the file's name and its JSON. What is not as it should
// be ends in config::InputError with its place.
class SavedValue {
 public:
  using Json = nlohmann::ordered_json;

  // `command`: which one writes such files, for messages.
  SavedValue(const std::string& file, const Json& value, std::string_view command,
             std::string pointer = "");

  const Json& Value() const {
    return value_;
  }

  SavedValue At(std::string_view key) const;
  std::string Text(std::string_view key) const;
  std::uint64_t Count(std::string_view key) const;
  std::vector<SavedValue> Elements() const;
  void Require(bool good, std::string_view complaint) const;

 private:
  [[noreturn]] void Refuse(const std::string& pointer, std::string_view complaint) const;

  const std::string& file_;
  const Json& value_;
  std::string_view command_;
  std::string pointer_;
};

// Throws config::InputError where there is no such file, or it is no JSON.
nlohmann::ordered_json ReadResultFile(const std::string& file);

// The result is of another machine or build, or of other work: exit code 5. what() has one line for each difference.
class NotComparable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// What differs between the file and now: NotComparable.
class Differences {
 public:
  void Compare(const std::string& what, const nlohmann::ordered_json& saved,
               const nlohmann::ordered_json& now);
  void Add(std::string line);

  // Throws NotComparable. `what`: what is to be done again, by `command`.
  void ThrowIfAny(const std::string& file, std::string_view what, std::string_view command) const;

 private:
  std::vector<std::string> lines_;
};

// Of what figures depend on; what differs from hour to hour is left out. Requires: `root` is that of a result.
void CompareMachines(const SavedValue& root, const platform::MachineInfo& now,
                     Differences& differences);

// Of the kind of build, not of its revision. Requires: `root` is that of a result.
void CompareBuilds(const SavedValue& root, Differences& differences);

// All rounds of an alternative under a workload.
harness::Series ToSeries(const SavedValue& value);

}  // namespace schedbench::cli
