#pragma once

#include "harness/hypotheses/judge.hpp"
#include "record/record.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

namespace schedbench::report {

using harness::HypothesesResult;

// For people: each hypothesis with its verdict, its two ratios, and the command that repeats the comparison. Pure.
std::string RenderTable(const HypothesesResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
std::string RenderJson(const HypothesesResult& result);
const record::Record& RecordOf(const HypothesesResult* /*type*/);

// A row for each hypothesis. Pure.
FlatTable Flattened(const HypothesesResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
