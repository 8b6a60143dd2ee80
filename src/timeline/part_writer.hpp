#pragma once

#include "profile/text_sink.hpp"

#include <fmt/format.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

namespace schedbench::timeline {

// Gathers what is written in small pieces into parts for a sink. The last goes out with Flush().
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
  static constexpr std::size_t kPartBytes = std::size_t{1}
                                            << 16;  // arbitrary: few calls, little memory

  void FlushIfLong() {
    if (part_.size() >= kPartBytes) {
      Flush();
    }
  }

  const profile::TextSink& sink_;
  std::string part_;
};

}  // namespace schedbench::timeline
