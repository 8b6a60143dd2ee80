#pragma once

#include "harness/hypotheses/judge.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

namespace schedbench::report {

using harness::HypothesesResult;

// For people: each hypothesis with its verdict, its two ratios, and the command that repeats the comparison. Pure.
std::string RenderHypothesesTable(const HypothesesResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
std::string RenderHypothesesJson(const HypothesesResult& result, const TerminalStyle& style);

// A row for each hypothesis. Pure.
std::string RenderHypothesesCsv(const HypothesesResult& result, const TerminalStyle& style);
std::string RenderHypothesesMarkdown(const HypothesesResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
