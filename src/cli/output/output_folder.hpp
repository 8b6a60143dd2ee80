#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// A folder for the files of one result.
class OutputFolder {
 public:
  // Makes the folder where there is none, and finds out whether `names` can be written there: now, and not after an hour of
  // measuring. Throws platform::WriteError.
  OutputFolder(std::string path, const std::vector<std::string>& names);

  // Writes a file whole or not at all. Returns its path. Throws platform::WriteError; the others are then kept.
  std::string Write(const std::string& name, std::string_view text) const;

 private:
  std::string PathOf(const std::string& name) const;

  const std::string path_;
};

}  // namespace schedbench::cli
