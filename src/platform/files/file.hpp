#pragma once

#include "platform/files/terminal.hpp"

#include <string>
#include <string_view>
#include <system_error>

namespace schedbench::platform {

// A failed write. The message has the name of the target and the system's reason.
class WriteError : public std::system_error {
  using std::system_error::system_error;
};

// Writes the whole text to a standard stream, unbuffered. Throws WriteError, after
// IgnoreWriteSignals() also for a reader that has gone (std::errc::broken_pipe).
void WriteTo(Stream stream, std::string_view text);

// Turns two events that end the process by default into errors: writing to a pipe without a reader,
// and beyond the allowed file size (ulimit -f).
void IgnoreWriteSignals() noexcept;

// Writes a file completely or not at all: to a temporary file in the same folder, which replaces
// `path` once it is safe on the disk. A process that reads `path` during it, or after a crash,
// finds the old file or the new one. Keeps the permissions of the old file and follows symbolic
// links. Writes directly to other files (a pipe, a device). Refuses a file without permission to
// write, like a shell. Throws WriteError; then the old file is untouched.
void WriteFileWhole(const std::string& path, std::string_view text);

// Checks without a trace whether WriteFileWhole() is likely to succeed. Throws WriteError.
void CheckWritable(const std::string& path);

}  // namespace schedbench::platform
