#pragma once

#include "profile/text_sink.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace schedbench::timeline {

// Combines small pieces into parts for a sink. Flush() writes the last part.
class PartWriter {
 public:
  explicit PartWriter(const profile::TextSink& sink)
      : sink_(sink) {
    part_.reserve(kPartBytes + kPartBytes / 4);
  }

  void Add(std::string_view piece) {
    part_ += piece;
    FlushIfLong();
  }

  template <typename... Args>
  void Format(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(part_), format, std::forward<Args>(args)...);
    FlushIfLong();
  }

  void Flush() {
    if (!part_.empty()) {
      sink_(part_);
      part_.clear();
    }
  }

 private:
  // An arbitrary size that needs few calls and little memory.
  static constexpr std::size_t kPartBytes = std::size_t{1} << 16;

  void FlushIfLong() {
    if (part_.size() >= kPartBytes) {
      Flush();
    }
  }

  const profile::TextSink& sink_;
  std::string part_;
};

}  // namespace schedbench::timeline
