#pragma once

#include <cerrno>

namespace schedbench::platform {

// Calls `call` until no signal ends it. Returns its result, or a negative errno. Requires: `call`
// does not switch stacks, so errno is its own.
template <typename Call>
auto RepeatInterrupted(Call call) noexcept -> decltype(call()) {
  for (;;) {
    const auto result = call();
    if (result >= 0) {
      return result;
    }
    if (errno != EINTR) {
      return static_cast<decltype(call())>(-errno);
    }
  }
}

}  // namespace schedbench::platform
