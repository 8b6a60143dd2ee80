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
#include "report/parts/chart_page.hpp"
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

// The forms of results. A page is not for a terminal, and exists only if the tool was built with
// its pages.
enum class Form { kTable, kJson, kCsv, kMarkdown, kPage, kGbench };

struct Format {
  Form form;
  std::string_view name;       // as in --format
  std::string_view extension;  // of its files; "": none
};

// Whether results of this type have the form. All have a table, JSON, CSV and Markdown. The
// functions of results of other namespaces are found because this header includes those of all
// reports.
template <typename Result>
concept HasDocument = requires(const Result& result) { DocumentOf(result, TerminalStyle()); };

template <typename Result>
bool HasForm(Form form) {
  constexpr bool kHasPage =
      HasDocument<Result> || requires(const Result& result) { RenderHtml(result); };
  constexpr bool kHasGbench = requires(const Result& result) { RenderGbenchJson(result); };
  return form == Form::kPage ? kHasPage : form != Form::kGbench || kHasGbench;
}

// Returns a result in a form that it has. Pure: the same result gives the same text, which ends in
// a newline.
template <typename Result>
std::string Rendered(Form form, const Result& result, const TerminalStyle& style) {
  switch (form) {
    case Form::kTable:
      break;
    case Form::kJson:
      return RenderJson(result);
    case Form::kCsv:
      if constexpr (HasDocument<Result>) {
        return CsvText(DocumentOf(result, style).rows);
      } else {
        return CsvText(Flattened(result, style));
      }
    case Form::kMarkdown:
      if constexpr (HasDocument<Result>) {
        return MarkdownText(DocumentOf(result, style).rows);
      } else {
        return MarkdownText(Flattened(result, style));
      }
    case Form::kPage:
      if constexpr (HasDocument<Result>) {
        return PageText(DocumentOf(result, kPageStyle));
      } else if constexpr (requires { RenderHtml(result); }) {
        return RenderHtml(result);
      }
      break;
    case Form::kGbench:
      if constexpr (requires { RenderGbenchJson(result); }) {
        return RenderGbenchJson(result);
      }
      break;
  }
  if constexpr (HasDocument<Result>) {
    return TerminalText(DocumentOf(result, style), style);
  } else {
    return RenderTable(result, style);
  }
}

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
