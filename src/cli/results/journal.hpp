#pragma once

#include "cli/flags/arguments.hpp"
#include "harness/experiment/data.hpp"
#include "harness/sweep/plan.hpp"
#include "platform/files/journal_file.hpp"
#include "platform/machine/machine_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace schedbench::cli {

class Differences;
class SavedValue;

inline constexpr auto kJournalFlag =
    TextFlag{"--journal", "", "FILE",
             "Append each block to the file; the same command continues after an interruption"}
        .Writes()
        .Explained(
            "--journal keeps each finished block. After Ctrl-C, a crash or the loss of a machine "
            "the same command continues from there; more --blocks, another --metric and another "
            "--budget are allowed. --budget is the time of one command. The journal of another "
            "plan, machine or build is refused with code 5, and a file that is not a journal with "
            "code 2. What has failed is not measured again, what the machine has refused is.");

// Advice if the file of the flag is not the journal of this plan.
inline constexpr std::string_view kOtherJournal = "name another file to start again";

// The parts that must not change when a measurement continues.
struct JournaledPlan {
  harness::ExperimentPlan experiment;  // Group::cells number its cells, from 0 on
  std::vector<harness::SweepKey> keys = {};
  std::string perturbed = "";
};

// The blocks of a sweep, or of another command that measures cells, in a file, so that the same
// command continues after an interruption. docs/formats.md specifies the lines: each is a checksum
// and a JSON object; the first one describes the plan, the machine and the build. A file that was
// cut at any byte loses its last line at most. One thread uses it.
class Journal {
 public:
  // Opens or creates the file for this plan. Takes the seed from the file if `takes_seed`, and then
  // changes that of `plan`. Throws config::InputError if the file is not a journal, is damaged or
  // is in use; NotComparable if it is of another plan, machine or build; platform::WriteError. A
  // refused file is not changed. `command`: the command of the journal. `remedy`: the end of the
  // message about the journal of another plan.
  Journal(const std::string& path, JournaledPlan& plan, const platform::MachineInfo& machine,
          bool takes_seed, std::string_view command = "sweep",
          std::string_view remedy = kOtherJournal);

  // Returns a block that the file had when opened. `place`: the machine's name; "" for this one.
  std::optional<harness::Series> Known(std::size_t cell, std::size_t block,
                                       const std::string& place = "") const;
  // Returns the names of the machines that measured cells of this block.
  std::vector<std::string> PlacesOf(std::size_t block) const;
  // Returns the number of blocks with at least one cell.
  std::size_t KnownBlocks() const {
    return places_of_.size();
  }
  // Returns the trouble with the removed last line, "the last line was incomplete", or "".
  const std::string& Trouble() const {
    return trouble_;
  }

  // Appends a cell's block or failure. Throws platform::WriteError; earlier lines remain.
  void Add(std::size_t cell, std::size_t block, const harness::Series& series);

 private:
  // Appends descriptions of the machines whose names are not in `saved`.
  void AddPlaces(const std::vector<harness::PlacePtr>& places,
                 const std::map<std::string, nlohmann::ordered_json>& saved);
  void CompareWhere(const harness::ExperimentPlan& plan, Differences& differences) const;
  // Takes a line after the first one. Throws config::InputError for a wrong value.
  void Take(const SavedValue& line, std::map<std::string, nlohmann::ordered_json>& places);
  void Read(JournaledPlan& plan, const platform::MachineInfo& machine, bool takes_seed);

  const std::string path_;
  const std::string command_;
  const std::string remedy_;
  platform::JournalFile file_;
  // Series by cell, block and machine.
  std::map<std::tuple<std::size_t, std::size_t, std::string>, harness::Series> known_;
  std::map<std::size_t, std::set<std::string>> places_of_;  // names by block
  std::string trouble_;
};

// Returns the journal of kJournalFlag; null without it. Reports on stderr where it continues. Takes
// `seed`, the plan's, from the file if there is no kSeedFlag. Throws what Journal() throws.
std::unique_ptr<Journal> JournalOf(const Arguments& arguments, JournaledPlan plan,
                                   std::uint64_t& seed, const platform::MachineInfo& machine,
                                   std::string_view command = "sweep");

}  // namespace schedbench::cli
