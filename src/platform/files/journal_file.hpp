#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>

namespace schedbench::platform {

// The file cannot be a journal: another process has it open, or it is a device or a folder.
class JournalRefused : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// A file that grows by whole pieces and that a crash cuts short at most within the last one. One process at a time has it. Used
// by one thread.
class JournalFile {
 public:
  // Creates the file if it is missing. Throws WriteError and JournalRefused.
  explicit JournalFile(std::string path);
  ~JournalFile();

  JournalFile(const JournalFile&) = delete;
  JournalFile& operator=(const JournalFile&) = delete;

  // Returns all of the file. Throws WriteError, and JournalRefused if it has more than `largest` bytes.
  std::string Read(std::size_t largest) const;

  // Cuts the file to its first bytes. Throws WriteError.
  void Truncate(std::size_t size);

  // Appends the text and waits until it is safe on the disk. If that fails, removes what was written of it and throws WriteError.
  void Append(std::string_view text);

 private:
  [[noreturn]] void Throw(std::string_view what) const;

  const std::string path_;
  int fd_;
};

}  // namespace schedbench::platform
