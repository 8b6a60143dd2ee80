#pragma once

#include "report/audit/audit_report.hpp"
#include "report/bisect/bisect_report.hpp"
#include "report/comparison/comparison.hpp"
#include "report/doctor/doctor_report.hpp"
#include "report/document/document.hpp"
#include "report/history/history_report.hpp"
#include "report/hypotheses/hypotheses_report.hpp"
#include "report/list/list_report.hpp"
#include "report/load/load_report.hpp"
#include "report/metg/metg_report.hpp"
#include "report/parts/chart_page.hpp"
#include "report/run/run_report.hpp"
#include "report/slo/slo_report.hpp"
#include "report/study/study_report.hpp"
#include "report/sweep/sweep_report.hpp"
#include "report/tune/tune_report.hpp"
#include "report/whatif/whatif_report.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

namespace schedbench::report {

// A format of results: an entry of kFormats and a function of a document.
struct Format {
  std::string_view name;       // name for --format
  std::string_view extension;  // extension of its files; "": none
  std::string (*text_of)(const Document& document, const TerminalStyle& style);
  // Unsuitable for a terminal; exists only if the tool was built with its pages.
  bool is_page = false;
  bool needs_repetitions = false;  // for results with rounds for Google Benchmark
};

// The default one is first.
inline constexpr std::array kFormats{
    Format{"table", ".txt", &TerminalText},
    Format{
        "json", ".json",
        [](const Document& document, const TerminalStyle& /*style*/) { return document.json(); }},
    Format{"csv", ".csv", &CsvText},
    Format{"markdown", ".md", &MarkdownText},
    Format{"html", ".html", &PageText, true},
    Format{"gbench-json", "", &GbenchText, false, true},
};

// Returns the format of a file by its extension, the default one without it; null if unknown.
inline const Format* FormatOfFile(std::string_view path) {
  const std::size_t name = path.rfind('/') == path.npos ? 0 : path.rfind('/') + 1;
  const std::size_t dot = path.rfind('.');
  if (dot == path.npos || dot < name) {
    return kFormats.data();
  }
  const auto* const format = std::ranges::find_if(kFormats, [&](const Format& one) {
    return !one.extension.empty() && path.substr(dot) == one.extension;
  });
  return format == kFormats.end() ? nullptr : format;
}

// Returns whether results of this type have the format.
template <typename Result>
bool HasFormat(const Format& format) {
  return !format.needs_repetitions || requires(const Result& result) { RepetitionsOf(result); };
}

// Returns a result as JSON, with a newline at its end. Pure.
template <typename Result>
std::string RenderJson(const Result& result) {
  return JsonText(RecordOf(&result), &result);
}

// Returns a result in a format that it has, with a newline at its end. Pure.
template <typename Result>
std::string Rendered(const Format& format, const Result& result, const TerminalStyle& style) {
  Document document = DocumentOf(result, format.is_page ? kPageStyle : style);
  document.json = [&result] { return RenderJson(result); };
  if constexpr (requires { RepetitionsOf(result); }) {
    document.repetitions = RepetitionsOf(result);
  }
  return format.text_of(document, style);
}

}  // namespace schedbench::report
