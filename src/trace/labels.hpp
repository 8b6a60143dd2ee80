#pragma once

#include "platform/threads/mutex.hpp"
#include "trace/event.hpp"

#include <cstddef>
#include <new>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::trace {

// Names of fibers of a recording: equal ones once. Any thread.
class Labels {
 public:
  Labels() {
    labels_.reserve(std::size_t{kLastLabel} + 1);
    texts_.reserve(std::size_t{kLastLabel} + 1);
    texts_.emplace_back();
  }

  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  // Returns the label of a text, a new one where it has none. kNoLabel where it is empty, where all numbers are taken, or
  // memory is short. Nothing is allocated under the lock: a thread that finds no memory may go no further.
  Label Of(const std::string& text) noexcept {
    if (text.empty()) {
      return kNoLabel;
    }
    {
      const platform::MutexLock lock(mutex_);
      if (const auto known = labels_.find(text); known != labels_.end()) {
        return known->second;
      }
      if (texts_.size() > kLastLabel) {
        return kNoLabel;
      }
    }
    try {
      std::unordered_map<std::string, Label> one{{text, kNoLabel}};
      auto node = one.extract(one.begin());
      std::string copy = text;
      const platform::MutexLock lock(mutex_);
      if (texts_.size() > kLastLabel) {
        return kNoLabel;
      }
      const auto inserted = labels_.insert(std::move(node));
      if (inserted.inserted) {  // no other thread meanwhile
        inserted.position->second = static_cast<Label>(texts_.size());
        texts_.push_back(std::move(copy));
      }
      return inserted.position->second;
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
  // Both guarded by mutex_, and with room for all labels.
  std::unordered_map<std::string, Label> labels_;
  std::vector<std::string> texts_;
};

}  // namespace schedbench::trace
