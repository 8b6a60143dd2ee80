#pragma once

#include <string>
#include <string_view>

// FNV-1a with 64 bits: detects what a crash, an editor or a new recording changes, not what another program does on purpose.

namespace schedbench::platform {

// Returns the checksum of the text in 16 hexadecimal digits. Thread-safe.
std::string ChecksumOf(std::string_view text);

// Returns the same of the bytes of a file; "" if there is no file that can be read, which its user reports.
std::string FileChecksum(const std::string& path);

}  // namespace schedbench::platform
