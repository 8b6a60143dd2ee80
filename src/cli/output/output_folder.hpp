#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::cli {

// A folder for the files of one result.
class OutputFolder {
 public:
  // Makes the folder if there is none. Checks that `names` can be written there: before the measurement, not after an hour of
  // it. Throws platform::WriteError.
  OutputFolder(std::string path, const std::vector<std::string>& names);

  // Returns the path of a file in a folder.
  static std::string PathIn(const std::string& folder, const std::string& name);

  // Writes a file whole or not at all. Returns its path. Throws platform::WriteError, and keeps the other files.
  std::string Write(const std::string& name, std::string_view text) const;

 private:
  const std::string path_;
};

}  // namespace schedbench::cli
