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

// The names of fibers in a recording, without duplicates. Any thread.
class Labels {
 public:
  Labels() {
    labels_.reserve(std::size_t{kLastLabel} + 1);
    texts_.reserve(std::size_t{kLastLabel} + 1);
    texts_.emplace_back();
  }

  Labels(const Labels&) = delete;
  Labels& operator=(const Labels&) = delete;

  // Returns the label of a text, perhaps a new one. Returns kNoLabel for an empty text, if all
  // numbers are taken, or without memory. It does not allocate under the lock: a thread without
  // memory may stop there.
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
      if (inserted.inserted) {  // no other thread has inserted it
        inserted.position->second = static_cast<Label>(texts_.size());
        texts_.push_back(std::move(copy));
      }
      return inserted.position->second;
    } catch (const std::bad_alloc&) {
      return kNoLabel;
    }
  }

  // Returns all texts so far, indexed by label; that of kNoLabel is "".
  std::vector<std::string> Texts() const {
    const platform::MutexLock lock(mutex_);
    return texts_;
  }

 private:
  mutable platform::Mutex mutex_;
  // mutex_ guards both, which have room for all labels.
  std::unordered_map<std::string, Label> labels_;
  std::vector<std::string> texts_;
};

}  // namespace schedbench::trace
