#pragma once

#include "fibers/core/waiting.hpp"

#include <array>
#include <vector>

namespace schedbench::fibers {

// Records during its life that the calling thread, outside of fibers, is blocked, and for what. For
// reports on hangs. Construction and destruction take a short lock.
class BlockedThread {
 public:
  // Records that the calling thread blocks for `waiting` until the end of the scope.
  explicit BlockedThread(Waiting waiting) noexcept;
  ~BlockedThread();

  BlockedThread(const BlockedThread&) = delete;
  BlockedThread& operator=(const BlockedThread&) = delete;

  struct Facts {
    std::array<char, 16> name;  // name of the thread; ends with 0
    Waiting waiting;
  };

  // Returns all threads that are blocked now. Any thread.
  static std::vector<Facts> All();

 private:
  const Facts facts_;
  BlockedThread* next_ = nullptr;
  BlockedThread* previous_ = nullptr;
};

}  // namespace schedbench::fibers
