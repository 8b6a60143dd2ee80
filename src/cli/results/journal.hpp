#pragma once

#include "harness/sweep/plan.hpp"
#include "harness/sweep/sampler.hpp"
#include "platform/files/journal_file.hpp"
#include "platform/machine/machine_info.hpp"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace schedbench::cli {

// The blocks of a sweep in a file, so that the same command continues after an interruption. docs/formats.md specifies the lines:
// each is a checksum and a JSON object; the first one describes the plan, the machine and the build. A file that was cut at any
// byte loses its last line at most. Used by one thread.
class Journal {
 public:
  // Opens the file, or creates it, for this plan. Takes the seed from the file if `takes_seed`; then `plan.seed` changes. Throws
  // config::InputError if the file is no journal, is damaged or is in use; NotComparable if it is of another plan, machine or build;
  // platform::WriteError. A file that is refused is not changed.
  Journal(const std::string& path, harness::SweepPlan& plan, const platform::MachineInfo& machine,
          bool takes_seed);

  // What the file had when it was opened.
  // `place`: the name of the machine that measured it; "" for this one.
  std::optional<harness::Series> Known(std::size_t cell, std::size_t block,
                                       const std::string& place = "") const;
  std::size_t KnownBlocks() const {
    return known_.size();
  }
  // Whether its last line was incomplete, and is gone.
  bool WasCut() const {
    return was_cut_;
  }

  // Appends a block of a cell, or its failure. Throws platform::WriteError; the file then has all lines before.
  void Add(std::size_t cell, std::size_t block, const harness::Series& series);

 private:
  // Appends what the places are that are not in `saved`, by name.
  void AddPlaces(const std::vector<harness::PlacePtr>& places,
                 const std::map<std::string, nlohmann::ordered_json>& saved);
  void Read(harness::SweepPlan& plan, const platform::MachineInfo& machine, bool takes_seed);

  const std::string path_;
  platform::JournalFile file_;
  // By cell, block and place.
  std::map<std::tuple<std::size_t, std::size_t, std::string>, harness::Series> known_;
  bool was_cut_ = false;
};

}  // namespace schedbench::cli
