#pragma once

#include "platform/mutex.hpp"

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <unordered_map>
#include <vector>

namespace schedbench::trace {

// Number of a text in a Labels; an event has 14 bits for it.
using Label = std::uint16_t;
inline constexpr Label kNoLabel = 0;
inline constexpr Label kLastLabel = (1U << 14U) - 1;

// Names of fibers of a recording: equal ones once. Any thread.
class Labels {
 public:
  Labels() = default;
  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  // Returns the label of a text, a new one where it has none. kNoLabel where it is empty, where all numbers are taken, or
  // memory is short.
  Label Of(const std::string& text) noexcept {
    if (text.empty()) {
      return kNoLabel;
    }
    const platform::MutexLock lock(mutex_);
    try {
      const auto known = labels_.find(text);
      if (known != labels_.end()) {
        return known->second;
      }
      if (texts_.size() > kLastLabel) {
        return kNoLabel;
      }
      texts_.push_back(text);
      const auto label = static_cast<Label>(texts_.size() - 1);
      labels_.emplace(text, label);
      return label;
    } catch (const std::bad_alloc&) {
      return kNoLabel;
    }
  }

  // Returns all texts so far: that of a label in its place, "" of kNoLabel.
  std::vector<std::string> Texts() const {
    const platform::MutexLock lock(mutex_);
    return texts_;
  }

 private:
  mutable platform::Mutex mutex_;
  // Both guarded by mutex_.
  std::unordered_map<std::string, Label> labels_;
  std::vector<std::string> texts_{std::string()};
};

}  // namespace schedbench::trace
