#include "platform/proc/machine_files.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace schedbench::platform {

namespace {

// More than these files have, except /proc/stat with thousands of interrupts: its start matters.
constexpr std::size_t kMaxBytes = std::size_t{1} << 20U;

}  // namespace

MachineFiles::MachineFiles(std::string root)
    : root_(std::move(root)) {
}

std::optional<std::string> MachineFiles::Read(std::string_view path) const {
  std::error_code error;
  if (std::filesystem::is_directory(root_ + std::string(path), error)) {
    return std::nullopt;
  }
  std::ifstream file(root_ + std::string(path), std::ios::binary);
  if (!file) {
    return std::nullopt;
  }
  std::string text;
  std::array<char, 4096> part;
  while (text.size() < kMaxBytes && (file.read(part.data(), part.size()) || file.gcount() > 0)) {
    text.append(part.data(), static_cast<std::size_t>(file.gcount()));
  }
  // Some files open but cannot be read: those of turbo without driver support, of an ended process.
  if (file.bad()) {
    return std::nullopt;
  }
  text.erase(text.find_last_not_of(" \t\n") + 1);
  return text;
}

std::optional<std::string> MachineFiles::Link(std::string_view path) const {
  std::error_code error;
  const auto target = std::filesystem::read_symlink(root_ + std::string(path), error);
  return error ? std::nullopt : std::optional(target.string());
}

bool MachineFiles::Has(std::string_view path) const {
  std::error_code error;
  return std::filesystem::exists(root_ + std::string(path), error);
}

std::vector<std::string> MachineFiles::Names(std::string_view folder) const {
  std::vector<std::string> names;
  std::error_code error;
  std::filesystem::directory_iterator at(root_ + std::string(folder), error);
  while (!error && at != std::filesystem::directory_iterator()) {
    names.push_back(at->path().filename().string());
    at.increment(error);
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace schedbench::platform
