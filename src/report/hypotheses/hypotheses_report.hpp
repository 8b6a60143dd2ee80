#pragma once

#include "harness/hypotheses/judge.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

namespace schedbench::report {

using harness::HypothesesResult;

// Each hypothesis with its verdict, its two ratios, and the command that repeats the comparison.
// Pure.
Document DocumentOf(const HypothesesResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
const record::Record& RecordOf(const HypothesesResult* /*type*/);

}  // namespace schedbench::report
