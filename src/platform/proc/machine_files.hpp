#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::platform {

// The kernel's reports about a machine in files: /proc and /sys, or a copy of them in some folder.
// Never throws: unreadable files yield nothing. Thread-safe.
class MachineFiles {
 public:
  // `root`: the folder that replaces "/".
  explicit MachineFiles(std::string root = "/");

  // Returns the first MiB of the text of a file ("/proc/stat"), without white space at its end.
  std::optional<std::string> Read(std::string_view path) const;

  // Returns the target of a symbolic link.
  std::optional<std::string> Link(std::string_view path) const;

  // Returns whether the file or folder exists.
  bool Has(std::string_view path) const;

  // Returns the names in a folder, sorted; none if it cannot be read.
  std::vector<std::string> Names(std::string_view folder) const;

 private:
  std::string root_;
};

}  // namespace schedbench::platform
