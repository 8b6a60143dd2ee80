#pragma once

#include "report/tune/tune_report.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

// Parts of the reports on tuning. Pure; thread-safe.

namespace schedbench::report {

// Most characters of the reason of a failure.
inline constexpr std::size_t kLongestTuneReason = 1000;

// Returns "the default", "lifo_limit=0 steal_batch=64".
std::string TuneCandidateName(const harness::TunePlan& plan, std::size_t candidate);

// Returns the name with at most a few settings: "lifo_limit=0 steal_batch=64 and 5 more".
std::string ShortCandidateName(const harness::TunePlan& plan, std::size_t candidate);

// Returns "the default", "the winner", "winner 2", "the runner-up" of FinalistsOf().
std::string TuneRoleName(const TuneResult& result, std::size_t finalist);

// Returns "all searched workloads", "yield:fibers=2 (held out)".
std::string ScopeText(const harness::TunePlan& plan, const harness::TuneRatio& ratio);

// Returns "1.23 (1.18 to 1.31)", "1.23, no interval", or why there is no ratio.
std::string TuneRatioText(const harness::TuneRatio& ratio);

// Returns the answer in one sentence: "No setting is better than the default".
std::string AnswerText(const TuneResult& result);

// Returns what limits the answer, or how to run its config.
std::vector<Sentence> AnswerDetails(const TuneResult& result);

// Returns the candidates and their workloads: "fast", "27 candidates of 3 fields", ...
std::vector<std::string> TuneHeadline(const TuneResult& result);

// Returns whether a share of the differences that are not noise can be named at all.
bool HasShares(const harness::FieldImportance& importance);

// Returns how reliable the shares of the fields are; a sentence for each objective.
std::vector<Sentence> TuneReliability(const TuneResult& result);

// Returns whether and why the measurement ended early, and what was disturbed.
std::vector<Note> TuneEndings(const TuneResult& result);

// Returns a sentence for each dropped candidate, with the reason.
std::vector<Sentence> TuneFailures(const TuneResult& result);

// Returns a candidate's median ratio to the default over the search's blocks, or none.
std::optional<double> SearchedRatio(const TuneResult& result, std::size_t candidate,
                                    std::size_t objective);

std::vector<Note> NotesOn(const TuneResult& result);

}  // namespace schedbench::report
