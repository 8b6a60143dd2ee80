#pragma once

#include <string>
#include <string_view>

// FNV-1a with 64 bits: detects changes by a crash, an editor or a new recording, but not forgery.

namespace schedbench::platform {

// Returns the checksum of the text in 16 hexadecimal digits. Thread-safe.
std::string ChecksumOf(std::string_view text);

// Returns the checksum of a file; "" if it cannot be read, which its user reports.
std::string FileChecksum(const std::string& path);

}  // namespace schedbench::platform
