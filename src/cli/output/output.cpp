#include "cli/output/output.hpp"

#include "platform/files/file.hpp"

namespace schedbench::cli {

void Print(std::string_view text) {
  platform::WriteTo(platform::Stream::kOut, text);
}

void Say(std::string_view text) noexcept {
  try {
    platform::WriteTo(platform::Stream::kError, text);
  } catch (const platform::WriteError&) {
    return;
  }
}

}  // namespace schedbench::cli
