#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::platform {

// Returns whether bytes start like a gzip file.
bool IsGzip(std::string_view bytes) noexcept;

// Returns the content of a gzip file, of all its members. Throws ReadError for a damaged file, and
// for a content above `largest` bytes after inflating one byte more. Pure; thread-safe.
std::string Inflated(std::string_view bytes, std::size_t largest);

}  // namespace schedbench::platform
