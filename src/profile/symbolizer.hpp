#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <unordered_map>
#include <vector>

struct backtrace_state;

namespace schedbench::profile {

// Turns addresses of code of this process into frames, by the debug information of the program and
// its libraries (libbacktrace also names static functions, lambdas and inlined functions). The
// first read takes some tenths of a second and keeps its memory; then an address takes less than a
// microsecond. Use it after the run, not in a signal handler. One thread uses it; several
// symbolizers may exist.
class Symbolizer {
 public:
  Symbolizer();

  // Returns the function at an address, preceded by the functions inlined there, innermost first.
  // An address in no known function has one frame, named by its module, "[libc.so.6]", or
  // "[unknown]". `is_return`: it is a return address, and the call itself is before it.
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
