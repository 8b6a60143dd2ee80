#pragma once

#include <span>
#include <string_view>

namespace schedbench::harness {

// What a change does to a number.
enum class Way { kRises, kFalls };

// A claim of one of the documents: under a workload, another scheduler changes how often a mechanism is used, and so the speed.
struct Hypothesis {
  std::string_view name;       // "H1"
  std::string_view source;     // "document 000"
  std::string_view statement;  // one sentence
  std::string_view workload;   // with parameters
  // Alternatives as compare takes them. Both "": all schedulers of document 000 must give right answers on one worker; there
  // is no mechanism, and nothing is said of throughput.
  std::string_view before = "";
  std::string_view after = "";
  // Counts of a mechanism, summed, or one metric; per operation.
  std::span<const std::string_view> counters = {};
  std::string_view mechanism = "";  // what they are, in words: "tasks taken from the global queue"
  Way counters_go = Way::kFalls;
  Way throughput_goes = Way::kRises;

  constexpr bool IsAboutAnswers() const {
    return before.empty();
  }
};

// The conclusions H1 to H5 of document 000, the claims F12 to F14 of document 004, and a control that compares a scheduler with
// itself.
std::span<const Hypothesis> Hypotheses();

}  // namespace schedbench::harness
