#pragma once

#include "harness/audit/audit.hpp"
#include "record/record.hpp"
#include "report/parts/flat_table.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

using harness::AuditResult;

// For people: a column of shares for each scheduler, or a row where they are many, and the conclusions. Pure.
std::string RenderTable(const AuditResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
std::string RenderJson(const AuditResult& result);
const record::Record& RecordOf(const AuditResult* /*type*/);

// A page with a chart of the shares. Pure. Requires: HasChartPage().
std::string RenderHtml(const AuditResult& result);

// A row for each scheduler. Pure.
FlatTable Flattened(const AuditResult& result, const TerminalStyle& style);

// Why an audit that is not complete has only a part of the schedulers.
inline constexpr std::string_view kAuditEndedEarly = "the measurement ended early";

// What limits the meaning of the shares.
std::vector<Note> NotesOn(const AuditResult& result);

}  // namespace schedbench::report
