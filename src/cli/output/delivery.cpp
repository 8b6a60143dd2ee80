#include "cli/output/delivery.hpp"

#include "cli/output/output.hpp"
#include "platform/files/file.hpp"
#include "platform/files/terminal.hpp"

namespace schedbench::cli {

Delivery::Delivery(const Arguments& arguments)
    : format_(arguments.Has(kFormatFlag)
                  ? report::FormatOfName(*arguments.Value(kFormatFlag))
                  : report::FormatOfFile(arguments.Value(kOutputFlag).value_or(""))),
      file_(arguments.Value(kOutputFlag)) {
  if (file_ == "-") {
    file_.reset();
  }
  if (file_) {
    platform::CheckWritable(*file_);
  }
}

void Delivery::Deliver(const Render& render) const {
  const bool colour = !file_ && platform::TakesColour(platform::Stream::kOut);
  report::TerminalStyle style{.unicode = platform::TakesUtf8(), .colour = colour};
  if (const auto size = platform::SizeOf(platform::Stream::kOut); size && !file_) {
    style.width = size->columns;
  }
  const std::string text = render(format_, style);
  if (!file_) {
    Print(text);
    return;
  }
  try {
    platform::WriteFileWhole(*file_, text);
  } catch (const platform::WriteError&) {
    Print(text);  // so that the result is not lost
    throw;
  }
}

}  // namespace schedbench::cli
