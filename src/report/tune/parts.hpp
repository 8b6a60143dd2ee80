#pragma once

#include "report/tune/tune_report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Parts of the reports on tuning. Pure; thread-safe.

namespace schedbench::report {

// Characters of the reason of a failure.
inline constexpr std::size_t kLongestTuneReason = 1000;

// "the default", "lifo_limit=0 steal_batch=64"
std::string TuneCandidateName(const harness::TunePlan& plan, std::size_t candidate);

// The same with at most a few settings: "lifo_limit=0 steal_batch=64 and 5 more"
std::string ShortCandidateName(const harness::TunePlan& plan, std::size_t candidate);

// "the default", "the winner", "winner 2", "the runner-up". `finalist`: in FinalistsOf().
std::string TuneRoleName(const TuneResult& result, std::size_t finalist);

// "all searched workloads", "yield:fibers=2 (held out)"
std::string ScopeText(const harness::TunePlan& plan, const harness::TuneRatio& ratio);

// "1.23 (1.18 to 1.31)", "1.23, no interval", or why there is none.
std::string TuneRatioText(const harness::TuneRatio& ratio);

// The answer in one sentence: "No setting is better than the default".
std::string AnswerText(const TuneResult& result);

// What limits the answer, or how to run its config.
std::vector<Sentence> AnswerDetails(const TuneResult& result);

// What the candidates and their workloads are: "fast", "27 candidates of 3 fields", ...
std::vector<std::string> TuneHeadline(const TuneResult& result);

// Whether a share of the differences that are no noise can be named at all.
bool HasShares(const harness::FieldImportance& importance);

// How far the shares of the fields can be relied on; a sentence for each objective.
std::vector<Sentence> TuneReliability(const TuneResult& result);

// Whether and why the measurement ended early, and what was disturbed.
std::vector<Note> TuneEndings(const TuneResult& result);

// A sentence for each candidate that was dropped, with the reason.
std::vector<Sentence> TuneFailures(const TuneResult& result);

// The median over the blocks of the ratio of a candidate to the default, of all blocks of the search; none without a
// value.
std::optional<double> SearchedRatio(const TuneResult& result, std::size_t candidate,
                                    std::size_t objective);

std::vector<Note> NotesOn(const TuneResult& result);

}  // namespace schedbench::report
