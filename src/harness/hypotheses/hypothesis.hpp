#pragma once

#include <span>
#include <string_view>

namespace schedbench::harness {

// The effect of a change on a number.
enum class Way { kRises, kFalls };

// A claim of a document: another scheduler changes a mechanism's use, and so the speed.
struct Hypothesis {
  std::string_view name;       // "H1"
  std::string_view source;     // the document that makes the claim
  std::string_view statement;  // one sentence
  std::string_view workload;   // with parameters
  // Alternatives as `compare` takes them. Both "": all schedulers of the toucan report must give
  // right answers on one worker; there is no mechanism and no claim about throughput.
  std::string_view before = "";
  std::string_view after = "";
  // Counts of a mechanism, which are summed, or one metric; per operation.
  std::span<const std::string_view> counters = {};
  std::string_view mechanism = "";  // the counters in words: "tasks taken from the global queue"
  Way counters_go = Way::kFalls;
  Way throughput_goes = Way::kRises;

  constexpr bool IsAboutAnswers() const {
    return before.empty();
  }
};

// Returns the conclusions H1 to H5 of the toucan report, the claims F12 to F14 of the scheduler
// lectures, and a control that compares a scheduler with itself.
std::span<const Hypothesis> Hypotheses();

}  // namespace schedbench::harness
