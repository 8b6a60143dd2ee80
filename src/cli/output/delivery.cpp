#include "cli/output/delivery.hpp"

#include "cli/output/output.hpp"
#include "config/input_error.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"
#include "registry/pages.hpp"
#include "report/parts/chart_page.hpp"

#include <fmt/core.h>
#include <fmt/format.h>

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

namespace {

// With both flags, --format counts.
const report::Format* FormatOf(const Arguments& arguments) {
  return arguments.Has(kFormatFlag)
             ? &report::FormatOfName(*arguments.Value(kFormatFlag))
             : report::FormatOfFile(arguments.Value(kOutputFlag).value_or(""));
}

using HasForm = std::function<bool(const report::Format&)>;

[[noreturn]] void RefuseFile(const std::string& path, const HasForm& has_form) {
  std::string extensions;
  for (const report::Format& format : report::Formats()) {
    if (!format.extension.empty() && has_form(format)) {
      extensions += fmt::format("{}{}", extensions.empty() ? "" : ", ", format.extension);
    }
  }
  throw config::InputError(
      fmt::format("{}   unknown file extension; known: {}    --format FORMAT allows any name",
                  PlaceOf(kOutputFlag, path), extensions));
}

// The flag that has chosen the format.
std::string PlaceOfFormat(const Arguments& arguments, const report::Format& format) {
  return arguments.Has(kFormatFlag) ? fmt::format("--format {}", format.name)
                                    : PlaceOf(kOutputFlag, *arguments.Value(kOutputFlag));
}

[[noreturn]] void RefuseFormat(const std::string& place, const HasForm& has_form) {
  std::vector<std::string_view> names;
  for (const report::Format& format : report::Formats()) {
    if (has_form(format)) {
      names.push_back(format.name);
    }
  }
  throw config::InputError(fmt::format("{}   this result has no such format; allowed: {}", place,
                                       fmt::join(names, ", ")));
}

// A page needs the tool's own pages, and a file or a pipe.
void CheckPlaceOfPage(const std::string& place, bool has_file) {
  if (!report::HasChartPage()) {
    throw config::InputError(fmt::format("{}   {}", place, registry::kNoPages));
  }
  if (!has_file && platform::IsTerminal(platform::Stream::kOut)) {
    throw config::InputError(
        fmt::format("{}   a page is for a browser, not for a terminal    -o FILE.html", place));
  }
}

}  // namespace

Delivery::Delivery(const Arguments& arguments, const HasForm& has_form)
    : format_(FormatOf(arguments) == nullptr ? report::Formats().front() : *FormatOf(arguments)),
      file_(arguments.Value(kOutputFlag)) {
  if (FormatOf(arguments) == nullptr) {
    RefuseFile(*file_, has_form);
  }
  if (!has_form(format_)) {
    RefuseFormat(PlaceOfFormat(arguments, format_), has_form);
  }
  if (file_ == "-") {
    file_.reset();
  }
  if (format_.is_page) {
    CheckPlaceOfPage(PlaceOfFormat(arguments, format_), file_.has_value());
  }
  if (file_) {
    platform::CheckWritable(*file_);
  }
}

void Delivery::Write(const Render& render) const {
  if (!file_) {
    Print(render(format_, StdoutStyle()));
    return;
  }
  const std::string text = render(format_, {.unicode = platform::TakesUtf8()});
  try {
    platform::WriteFileWhole(*file_, text);
  } catch (const platform::WriteError&) {
    // So that the result is not lost. A page is not to be read there.
    Print(format_.is_page ? render(report::Formats().front(), StdoutStyle()) : text);
    throw;
  }
}

}  // namespace schedbench::cli
