#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedbench::platform {

// The file cannot be a journal: another process uses it, or it is a device or a folder.
class JournalRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file that grows by whole pieces; a crash cuts at most the last one short. One process at a time
// has it, and one thread uses it.
class JournalFile {
 public:
  // Creates the file if it is missing. Throws WriteError and JournalRefused.
  explicit JournalFile(std::string path);
  ~JournalFile();

  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  // Returns the whole file. Throws WriteError, and JournalRefused above `largest` bytes.
  std::string Read(std::size_t largest) const;

  // Cuts the file to its first bytes. Throws WriteError.
  void Truncate(std::size_t size);

  // Appends the text and waits until it is safe on the disk. On failure removes its part and throws
  // WriteError.
  void Append(std::string_view text);

 private:
  [[noreturn]] void Throw(std::string_view what) const;

  const std::string path_;
  int fd_;
};

}  // namespace schedbench::platform
