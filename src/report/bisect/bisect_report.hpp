#pragma once

#include "base/enum_text.hpp"
#include "history/nearer.hpp"
#include "platform/machine/machine_info.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::report {

using schedbench::ToText;

// The difference between a good config, or revision, and a bad one.
struct BisectResult {
  enum class Kind { kFields, kRevisions };
  enum class Outcome {
    kFound,
    kSame,          // no difference that matters
    kInconclusive,  // the difference is not proven
    kFailed,        // GOOD or BAD cannot be measured
    kInterrupted,
  };

  struct Tested {
    std::string name;  // the fields with their values, or a revision
    history::Step step;
  };

  Kind kind;
  Outcome outcome = Outcome::kInconclusive;
  std::string good;
  std::string bad;
  std::string workload;
  std::string metric;
  std::size_t candidates = 0;                        // fields that differ, or revisions after GOOD
  std::optional<stats::RatioEstimate> difference{};  // BAD / GOOD
  std::string failure{};                             // failure of kFailed
  std::vector<Tested> tested{};                      // in the order of the search
  // "lifo_limit=0" of a minimal set, or candidates for the first bad revision, oldest first.
  std::vector<std::string> cause{};
  std::string subject{};                         // subject of the last of these revisions
  std::vector<std::string> skipped{};            // revisions in this range that cannot be measured
  std::optional<stats::RatioEstimate> effect{};  // effect of only the cause: GOOD with it / GOOD
  std::optional<stats::RatioEstimate> remainder{};  // rest of BAD: GOOD with the cause / BAD
  double min_effect = 0;
  std::uint64_t seed = 0;
  platform::MachineInfo machine{};
  std::vector<std::string> command{};
};

constexpr std::array<std::string_view, 5> NamesOf(BisectResult::Outcome) {
  return {"found", "same", "inconclusive", "failed", "interrupted"};
}

// Returns the steps, the cause and the difference. Pure.
Document DocumentOf(const BisectResult& result, const TerminalStyle& style);

// Returns the JSON record of the result. Pure.
record::Record RecordOf(const BisectResult* /*type*/);

}  // namespace schedbench::report
