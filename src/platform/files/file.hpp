#pragma once

#include "platform/files/terminal.hpp"

#include <string>
#include <string_view>
#include <system_error>

namespace schedbench::platform {

// A place cannot be written to. The message names it and the system's reason.
class WriteError : public std::system_error {
  using std::system_error::system_error;
};

// Writes the text to a standard stream, all of it, unbuffered. Throws WriteError; of a reader that went away
// (std::errc::broken_pipe) too, once IgnoreWriteSignals() was called.
void WriteTo(Stream stream, std::string_view text);

// Makes errors of two things that end the process by default: writing to a pipe without a reader, and beyond the allowed size
// of files (ulimit -f).
void IgnoreWriteSignals() noexcept;

// Writes a file whole or not at all: to a temporary file in the same folder, which takes the place of `path`
// once it is safe on the disk. A process that reads `path` meanwhile, or after a crash, finds the former file or the new one.
// Keeps the permissions of the former file and follows symbolic links. What is no ordinary file (a pipe, a device) is written
// directly. A file without permission to write is refused, as a shell refuses it.
// Throws WriteError; the former file is then untouched.
void WriteFileWhole(const std::string& path, std::string_view text);

// Finds out, without leaving a trace, whether WriteFileWhole() is likely to succeed. Throws as it does.
void CheckWritable(const std::string& path);

}  // namespace schedbench::platform
