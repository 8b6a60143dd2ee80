#pragma once

#include "report/audit/audit_report.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/history/history_report.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/list/list_report.hpp"
#include "report/load/load_report.hpp"
#include "report/metg/metg_report.hpp"
#include "report/paper/paper_report.hpp"
#include "report/parts/terminal_style.hpp"
#include "report/run/run_report.hpp"
#include "report/slo/slo_report.hpp"
#include "report/sweep/sweep_report.hpp"
#include "report/tune/tune_report.hpp"
#include "report/whatif/whatif_report.hpp"

#include <array>
#include <span>
#include <string>
#include <string_view>

namespace schedbench::report {

// A form of a result. Rendering is pure: the same result gives the same text, which ends in a newline. Null: results of this kind
// do not have the form.
struct Format {
  std::string_view name;       // as in --format
  std::string_view extension;  // of its files; "": none
  std::string (*render)(const harness::RunResult& result, const TerminalStyle& style);
  std::string (*render_comparison)(const ComparisonResult& result, const TerminalStyle& style);
  std::string (*render_slo)(const harness::SloResult& result, const TerminalStyle& style);
  std::string (*render_sweep)(const SweepResult& result, const TerminalStyle& style);
  std::string (*render_metg)(const MetgResult& result, const TerminalStyle& style);
  std::string (*render_tune)(const TuneResult& result, const TerminalStyle& style);
  std::string (*render_doctor)(const DoctorResult& result, const TerminalStyle& style);
  std::string (*render_audit)(const AuditResult& result, const TerminalStyle& style);
  std::string (*render_hypotheses)(const HypothesesResult& result, const TerminalStyle& style);
  std::string (*render_list)(const ListResult& result, const TerminalStyle& style);
  std::string (*render_history)(const HistoryResult& result, const TerminalStyle& style) = nullptr;
  std::string (*render_bisect)(const BisectResult& result, const TerminalStyle& style) = nullptr;
  std::string (*render_paper)(const PaperResult& result, const TerminalStyle& style) = nullptr;
  std::string (*render_whatif)(const WhatIfReport& report, const TerminalStyle& style) = nullptr;
  std::string (*render_load)(const LoadResult& result, const TerminalStyle& style) = nullptr;
  bool is_page =
      false;  // of HTML: not for a terminal, and only where the tool was built with its pages
};

// The names of all formats, the default one first.
inline constexpr std::array<std::string_view, 6> kFormatNames{"table",    "json", "csv",
                                                              "markdown", "html", "gbench-json"};

// Requires: one of kFormatNames.
const Format& FormatOfName(std::string_view name);

// Returns the format of a file by its extension, the default one without an extension; null if no format has this extension.
const Format* FormatOfFile(std::string_view path);

// All formats, the default one first.
std::span<const Format> Formats();

}  // namespace schedbench::report
