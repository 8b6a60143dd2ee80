#include "cli/output/output.hpp"

#include "platform/files/file.hpp"

#include <filesystem>
#include <system_error>

namespace schedbench::cli {

void Print(std::string_view text) {
  platform::WriteTo(platform::Stream::kOut, text);
}

bool IsSameFile(const std::string& a, const std::string& b) {
  std::error_code error;
  if (std::filesystem::equivalent(a, b, error) && !error) {
    return true;
  }
  const auto place = [](const std::string& path) {
    std::error_code failed;
    const auto absolute = std::filesystem::absolute(path, failed);
    const auto canonical = std::filesystem::weakly_canonical(absolute, failed);
    return failed ? std::filesystem::path(path) : canonical;
  };
  return !a.empty() && !b.empty() && place(a) == place(b);
}

void Say(std::string_view text) noexcept {
  try {
    platform::WriteTo(platform::Stream::kError, text);
  } catch (const platform::WriteError&) {
    return;
  }
}

}  // namespace schedbench::cli
