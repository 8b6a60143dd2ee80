#include "cli/output/path_names.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <set>

namespace schedbench::cli {

namespace {

using Parts = std::vector<std::filesystem::path>;

std::string FileNameOf(const std::string& path) {
  return std::filesystem::path(path).filename().string();
}

// Returns how many parts at the front all have in common. At least one part of each remains.
std::size_t CommonFront(const std::vector<Parts>& all) {
  for (std::size_t i = 0;; ++i) {
    for (const Parts& parts : all) {
      if (i + 1 >= parts.size() || parts[i] != all.front()[i]) {
        return i;
      }
    }
  }
}

}  // namespace

std::vector<std::string> DistinctNames(const std::vector<std::string>& paths) {
  std::vector<std::string> names;
  std::vector<Parts> all;
  for (const std::string& path : paths) {
    names.push_back(FileNameOf(path));
    const auto normal = std::filesystem::path(path).lexically_normal();
    all.emplace_back(normal.begin(), normal.end());
  }
  if (std::set(names.begin(), names.end()).size() == names.size()) {
    return names;
  }
  const std::size_t front = CommonFront(all);
  const bool is_one_file_name =
      std::ranges::all_of(names, [&](const std::string& name) { return name == names.front(); });
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::size_t left = all[i].size() - front;
    std::filesystem::path name;
    for (std::size_t part = 0; part < left - (is_one_file_name && left > 1 ? 1 : 0); ++part) {
      name /= all[i][front + part];
    }
    names[i] = name.string();
  }
  return names;
}

std::string TitleOfPaths(const std::string& before, const std::string& after) {
  const std::vector<std::string> names = DistinctNames({before, after});
  const std::string file = FileNameOf(before);
  const bool is_one_file_name = file == FileNameOf(after) && names[0] != names[1];
  return fmt::format("{}{} → {}", is_one_file_name ? file + ": " : "", names[0], names[1]);
}

}  // namespace schedbench::cli
