#include "cli/flags/trace_file.hpp"

#include "platform/files/file.hpp"
#include "profile/page_with_data.hpp"
#include "registry/pages.hpp"
#include "report/parts/quantity.hpp"
#include "timeline/chrome_json.hpp"
#include "timeline/perfetto.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

namespace schedbench::cli {

namespace {

using timeline::PageTexts;
using timeline::Timeline;

template <typename Write>
std::string Gathered(const Write& write) {
  std::string text;
  write([&text](std::string_view part) {
    text += part;
  });
  return text;
}

std::string PerfettoText(const Timeline& timeline, const PageTexts& /*texts*/) {
  return Gathered([&](const profile::TextSink& sink) {
    timeline::WritePerfetto(timeline, sink);
  });
}

std::string ChromeText(const Timeline& timeline, const PageTexts& /*texts*/) {
  return Gathered([&](const profile::TextSink& sink) {
    timeline::WriteChromeJson(timeline, sink);
  });
}

std::string PageText(const Timeline& timeline, const PageTexts& texts) {
  return profile::PageWithData(registry::TimelinePage(),
                               Gathered([&](const profile::TextSink& sink) {
                                 timeline::WritePageData(timeline, texts, sink);
                               }));
}

// The limits: Perfetto fails near 900 MB, viewers of JSON near 256 MB; a page shows 100,000 events without delay, and
// speedscope 200,000 (20 MB).
constexpr std::array kFormats{
    TraceFormat{".pftrace", "for ui.perfetto.dev", 16'000'000, 16'000'000, &PerfettoText},
    TraceFormat{".json", "Chrome's Trace Event Format, for Perfetto, speedscope and others",
                200'000, 2'000'000, &ChromeText},
    TraceFormat{".html", "a page of our own, which needs no network", 100'000, 100'000, &PageText},
};

const TraceFormat* FormatOf(const std::string& path) {
  const auto* const format = std::ranges::find_if(kFormats, [&](const TraceFormat& one) {
    return path.ends_with(one.ending);
  });
  return format == kFormats.end() ? nullptr : format;
}

}  // namespace

std::string TraceFileComplaint(const ValueRule& /*rule*/, const std::string& path) {
  const TraceFormat* const format = FormatOf(path);
  if (format == nullptr) {
    return "the name must end in .pftrace, .json or .html";
  }
  return format->text == &PageText && registry::TimelinePage().empty()
             ? std::string(registry::kNoPages)
             : "";
}

TraceFile TraceFileOf(const std::string& path) {
  return {.path = path, .format = FormatOf(path)};
}

std::string WriteTraceFile(const TraceFile& file, Timeline timeline,
                           const timeline::Recording& recording, const DescribeTimeline& describe,
                           TraceLimit limit) {
  const std::uint64_t events = timeline.events;
  const std::uint64_t most =
      limit == TraceLimit::kUsual ? file.format->usual_events : file.format->max_events;
  std::string cut;
  if (events > most) {
    timeline::CutToEvents(timeline, recording, most);
    cut = fmt::format("the last {} of {} events", report::Count(timeline.events),
                      report::Count(events));
  }
  PageTexts texts = describe(timeline);  // of this file's part
  if (!cut.empty()) {
    texts.facts.emplace_back("shown", cut);
  }
  platform::WriteFileWhole(file.path, file.format->text(timeline, texts));
  if (cut.empty()) {
    return file.path + "\n";
  }
  return fmt::format(
      "{}    {}: {}\n", file.path, cut,
      most < file.format->max_events ? "--events N writes more" : "the limit of its readers");
}

}  // namespace schedbench::cli
