#include "report/format.hpp"

#include <algorithm>

namespace schedbench::report {

namespace {

constexpr std::array kFormats{
    Format{.name = kFormatNames[0],
           .extension = ".txt",
           .render = &RenderTable,
           .render_comparison = &RenderComparisonTable,
           .render_slo = &RenderSloTable,
           .render_sweep = &RenderSweepTable,
           .render_metg = &RenderMetgTable,
           .render_tune = &RenderTuneTable,
           .render_doctor = &RenderDoctorTable,
           .render_audit = &RenderAuditTable,
           .render_hypotheses = &RenderHypothesesTable,
           .render_list = &RenderListTable,
           .render_history = &RenderHistoryTable,
           .render_bisect = &RenderBisectTable,
           .render_whatif = &RenderWhatIfTable,
           .render_load = &RenderLoadTable},
    Format{.name = kFormatNames[1],
           .extension = ".json",
           .render = &RenderJson,
           .render_comparison = &RenderComparisonJson,
           .render_slo = &RenderSloJson,
           .render_sweep = &RenderSweepJson,
           .render_metg = &RenderMetgJson,
           .render_tune = &RenderTuneJson,
           .render_doctor = &RenderDoctorJson,
           .render_audit = &RenderAuditJson,
           .render_hypotheses = &RenderHypothesesJson,
           .render_list = &RenderListJson,
           .render_history = &RenderHistoryJson,
           .render_bisect = &RenderBisectJson,
           .render_whatif = &RenderWhatIfJson,
           .render_load = &RenderLoadJson},
    Format{.name = kFormatNames[2],
           .extension = ".csv",
           .render = &RenderCsv,
           .render_comparison = &RenderComparisonCsv,
           .render_slo = &RenderSloCsv,
           .render_sweep = &RenderSweepCsv,
           .render_metg = &RenderMetgCsv,
           .render_tune = &RenderTuneCsv,
           .render_doctor = &RenderDoctorCsv,
           .render_audit = &RenderAuditCsv,
           .render_hypotheses = &RenderHypothesesCsv,
           .render_list = &RenderListCsv,
           .render_history = &RenderHistoryCsv,
           .render_bisect = &RenderBisectCsv,
           .render_whatif = &RenderWhatIfCsv,
           .render_load = &RenderLoadCsv},
    Format{.name = kFormatNames[3],
           .extension = ".md",
           .render = &RenderMarkdown,
           .render_comparison = &RenderComparisonMarkdown,
           .render_slo = &RenderSloMarkdown,
           .render_sweep = &RenderSweepMarkdown,
           .render_metg = &RenderMetgMarkdown,
           .render_tune = &RenderTuneMarkdown,
           .render_doctor = &RenderDoctorMarkdown,
           .render_audit = &RenderAuditMarkdown,
           .render_hypotheses = &RenderHypothesesMarkdown,
           .render_list = &RenderListMarkdown,
           .render_history = &RenderHistoryMarkdown,
           .render_bisect = &RenderBisectMarkdown,
           .render_whatif = &RenderWhatIfMarkdown,
           .render_load = &RenderLoadMarkdown},
    Format{.name = kFormatNames[4],
           .extension = ".html",
           .render = &RenderHtml,
           .render_comparison = &RenderComparisonHtml,
           .render_slo = &RenderSloHtml,
           .render_sweep = &RenderSweepHtml,
           .render_metg = &RenderMetgHtml,
           .render_tune = &RenderTuneHtml,
           .render_doctor = nullptr,
           .render_audit = &RenderAuditHtml,
           .render_hypotheses = nullptr,
           .render_list = nullptr,
           .render_history = &RenderHistoryHtml,
           .render_paper = &RenderPaperHtml,
           .is_page = true},
    Format{.name = kFormatNames[5],
           .extension = "",
           .render = &RenderGbenchJson,
           .render_comparison = &RenderComparisonGbenchJson,
           .render_slo = nullptr,
           .render_sweep = nullptr,
           .render_metg = nullptr,
           .render_tune = nullptr,
           .render_doctor = nullptr,
           .render_audit = nullptr,
           .render_hypotheses = nullptr,
           .render_list = nullptr},
};

}  // namespace

const Format& FormatOfName(std::string_view name) {
  return *std::ranges::find(kFormats, name, &Format::name);
}

const Format* FormatOfFile(std::string_view path) {
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

std::span<const Format> Formats() {
  return kFormats;
}

}  // namespace schedbench::report
