#pragma once

#include "harness/hypotheses/judge.hpp"
#include "record/record.hpp"
#include "report/document/document.hpp"

namespace schedbench::report {

using harness::HypothesesResult;

// Returns each hypothesis with its verdict, two ratios, and the command to repeat it. Pure.
Document DocumentOf(const HypothesesResult& result, const TerminalStyle& style);

// Returns the JSON record of the result. Pure.
record::Record RecordOf(const HypothesesResult* /*type*/);

}  // namespace schedbench::report
