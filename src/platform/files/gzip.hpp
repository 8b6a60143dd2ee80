#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace schedbench::platform {

// Whether bytes begin as a gzip file does.
bool IsGzip(std::string_view bytes) noexcept;

// Returns the content of a gzip file, of all its members. Throws ReadError for a damaged file, and
// for a content above `largest` bytes, without inflating more than one byte beyond it. Pure;
// thread-safe.
std::string Inflated(std::string_view bytes, std::size_t largest);

}  // namespace schedbench::platform
