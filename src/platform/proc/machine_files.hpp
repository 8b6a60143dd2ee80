#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::platform {

// What the kernel reports of a machine in files: /proc and /sys, or a copy of them in some folder. Never throws: what cannot be
// read is nothing. Thread-safe.
class MachineFiles {
 public:
  // `root`: the folder that stands for "/".
  explicit MachineFiles(std::string root = "/");

  // Returns the first MiB of the text of a file ("/proc/stat"), without white space at its end.
  std::optional<std::string> Read(std::string_view path) const;

  // Returns what a symbolic link names.
  std::optional<std::string> Link(std::string_view path) const;

  // Returns whether there is such a file or folder.
  bool Has(std::string_view path) const;

  // Returns the names in a folder, sorted; none where it cannot be read.
  std::vector<std::string> Names(std::string_view folder) const;

 private:
  std::string root_;
};

}  // namespace schedbench::platform
