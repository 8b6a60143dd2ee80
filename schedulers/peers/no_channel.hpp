#pragma once

#include "base/assert.hpp"

#include <cstddef>

namespace schedbench::schedulers::peers {

// Lets a workload compile whose fibers may use a channel, for a runtime whose tasks cannot wait for one. A workload that would use it
// has refused its parameters before (Fibers::RequireChannels).
template <typename T>
class NoChannel {
 public:
  explicit NoChannel(std::size_t /*capacity*/) {
    SB_ASSERT(false, "this runtime has no channels");
  }

  void Send(T /*value*/) noexcept {
  }

  T Receive() noexcept {
    return {};
  }
};

}  // namespace schedbench::schedulers::peers
