#include "cli/output/delivery.hpp"

#include "cli/output/output.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"
#include "registry/pages.hpp"
#include "report/parts/chart_page.hpp"

#include <fmt/format.h>

namespace schedbench::cli {

namespace {

// `file`: "" for stdout. With both flags, --format counts. Null: no format has the extension.
const report::Format* FormatOf(const Arguments& arguments, const std::string& file) {
  return arguments.Has(kFormatFlag)
             ? &*std::ranges::find(report::kFormats, *arguments[kFormatFlag], &report::Format::name)
             : report::FormatOfFile(file);
}

// Returns a member of the accepted formats as a list: ".txt, .json".
std::string ListOf(std::string_view report::Format::* text,
                   bool (*accepts)(const report::Format&)) {
  std::string list;
  for (const report::Format& format : report::kFormats) {
    if (!(format.*text).empty() && accepts(format)) {
      list += fmt::format("{}{}", list.empty() ? "" : ", ", format.*text);
    }
  }
  return list;
}

// Returns the flag that has chosen the format.
std::string PlaceOfFormat(const Arguments& arguments, const report::Format& format,
                          const std::string& file) {
  return arguments.Has(kFormatFlag) ? fmt::format("--format {}", format.name)
                                    : PlaceOf(kOutputFlag, file);
}

// Requires for a page the tool's own pages, and a file or a pipe.
void CheckPlaceOfPage(const std::string& place, bool has_file) {
  if (!report::HasChartPage()) {
    RefuseInput("{}   {}", place, registry::kNoPages);
  }
  if (!has_file && platform::IsTerminal(platform::Stream::kOut)) {
    RefuseInput("{}   a page is for a browser, not for a terminal    -o FILE.html", place);
  }
}

}  // namespace

Delivery::Delivery(const Arguments& arguments, HasFormat has_format) {
  constexpr std::string_view kStdout = "-";
  std::vector<std::string> files = arguments[kOutputFlag];
  const bool names_stdout = std::erase(files, kStdout) > 0;
  const auto add = [&](const std::string& file) {
    const report::Format* const format = FormatOf(arguments, file);
    if (format == nullptr) {
      RefuseInput(
          "{}   unknown file extension; expected one of {}    "
          "--format FORMAT allows any name",
          PlaceOf(kOutputFlag, file), ListOf(&report::Format::extension, has_format));
    }
    const std::string place = PlaceOfFormat(arguments, *format, file);
    if (!has_format(*format)) {
      RefuseInput("{}   this result has no such format; expected {}", place,
                  ListOf(&report::Format::name, has_format));
    }
    if (format->is_page) {
      CheckPlaceOfPage(place, !file.empty());
    }
    if (!file.empty()) {
      platform::CheckWritable(file);
    }
    targets_.push_back({format, file.empty() ? std::nullopt : std::optional(file)});
  };
  std::ranges::for_each(files, add);
  if (names_stdout || files.empty()) {
    add("");
  } else if (!arguments[kQuietFlag]) {
    targets_.push_back({report::kFormats.data(), std::nullopt});
  }
}

void Delivery::Write(const Render& render) const {
  std::exception_ptr unwritten;
  for (const auto& [format, file] : targets_) {
    if (!file) {
      // A result that could not be written to a file is on stdout, and more than the table.
      if (!unwritten) {
        Print(render(*format, StdoutStyle()));
      }
      continue;
    }
    const std::string text = render(*format, {.unicode = platform::TakesUtf8()});
    try {
      platform::WriteFileWhole(*file, text);
    } catch (const platform::WriteError&) {
      unwritten = std::current_exception();
      // The result must not be lost. A page is not readable on a terminal.
      Print(format->is_page ? render(report::kFormats.front(), StdoutStyle()) : text);
    }
  }
  if (unwritten) {
    std::rethrow_exception(unwritten);
  }
}

}  // namespace schedbench::cli
