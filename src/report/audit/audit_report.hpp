#pragma once

#include "harness/audit/audit.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>

namespace schedbench::report {

using harness::AuditResult;

// For people: a column of shares for each scheduler, or a row where they are many, and the conclusions. Pure.
std::string RenderAuditTable(const AuditResult& result, const TerminalStyle& style);

// For programs: the same. Pure.
std::string RenderAuditJson(const AuditResult& result, const TerminalStyle& style);

// A page with a chart of the shares. Pure. Requires: HasChartPage().
std::string RenderAuditHtml(const AuditResult& result, const TerminalStyle& style);

// A row for each scheduler. Pure.
std::string RenderAuditCsv(const AuditResult& result, const TerminalStyle& style);
std::string RenderAuditMarkdown(const AuditResult& result, const TerminalStyle& style);

}  // namespace schedbench::report
