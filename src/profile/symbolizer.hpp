#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

struct backtrace_state;

namespace schedbench::profile {

// Turns addresses of code of this process into frames, by the debug information of the program and
// its libraries (libbacktrace: static functions, lambdas and what was inlined have names too).
// Reading it takes some tenths of a second, once in the process, and its memory stays taken; then
// an address takes less than a microsecond. Called after the run, never in a signal handler. Used
// by one thread; several symbolizers at a time are fine.
class Symbolizer {
 public:
  Symbolizer();

  // Returns the function at an address and before it, innermost first, those that were inlined there. An address that is in no
  // known function has one frame, named by its module, "[libc.so.6]", or "[unknown]".
  // `is_return`: it is where a call returns to, and the call itself is before it.
  const std::vector<Frame>& FramesAt(std::uintptr_t address, bool is_return);

 private:
  struct Key {
    std::uintptr_t address;
    bool is_return;
    bool operator==(const Key&) const = default;
  };
  struct Hash {
    std::size_t operator()(const Key& key) const noexcept {
      return std::hash<std::uintptr_t>{}(key.address * 2 + (key.is_return ? 1 : 0));
    }
  };

  std::vector<Frame> Read(std::uintptr_t address, bool is_return) const;

  backtrace_state* const state_;
  std::unordered_map<Key, std::vector<Frame>, Hash> known_;
};

}  // namespace schedbench::profile
