#include "cli/output/output_folder.hpp"

#include "platform/files/file.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

namespace schedbench::cli {

OutputFolder::OutputFolder(std::string path, const std::vector<std::string>& names)
    : path_(std::move(path)) {
  std::error_code error;
  std::filesystem::create_directories(path_, error);
  if (error) {
    throw platform::WriteError(error, "cannot create the folder " + path_);
  }
  for (const std::string& name : names) {
    platform::CheckWritable(PathIn(path_, name));
  }
}

std::string OutputFolder::PathIn(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).string();
}

std::string OutputFolder::Write(const std::string& name, std::string_view text) const {
  std::string path = PathIn(path_, name);
  platform::WriteFileWhole(path, text);
  return path;
}

}  // namespace schedbench::cli
