#include "cli/output/delivery.hpp"

#include "cli/output/output.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"

#include <fmt/core.h>

#include <string_view>
#include <vector>

namespace schedbench::cli {

namespace {

const report::Format& ChosenFormat(const Arguments& arguments) {
  const auto name = arguments.Value(kFormatFlag.name);
  if (!name) {
    return report::FormatOfFile(arguments.Value(kOutputFlag.name).value_or(""));
  }
  if (const report::Format* format = report::FindFormat(*name)) {
    return *format;
  }
  std::vector<std::string_view> names;
  for (const report::Format& format : report::Formats()) {
    names.push_back(format.name);
  }
  throw config::InputError(
      fmt::format("unknown format {}{}", config::Quoted(*name), config::DidYouMean(*name, names)));
}

}  // namespace

Delivery::Delivery(const Arguments& arguments)
    : format_(ChosenFormat(arguments)),
      file_(arguments.Value(kOutputFlag.name)) {
  if (file_ == "-") {
    file_.reset();
  }
  if (file_) {
    platform::CheckWritable(*file_);
  }
}

void Delivery::Deliver(const Render& render) const {
  const bool colour = !file_ && platform::TakesColour(platform::Stream::kOut);
  const std::string text = render(format_, {.unicode = platform::TakesUtf8(), .colour = colour});
  if (!file_) {
    Print(text);
    return;
  }
  try {
    platform::WriteFileWhole(*file_, text);
  } catch (const platform::WriteError&) {
    Print(text);  // what was measured is not lost with the file
    throw;
  }
}

}  // namespace schedbench::cli
