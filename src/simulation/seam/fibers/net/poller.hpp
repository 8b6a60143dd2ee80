#pragma once

// Replaces src/fibers/net/poller.hpp: there is no network.

#include "fibers/net/poll_turn.hpp"
#include "fibers/net/ready_fibers.hpp"

#include <cstdint>

namespace schedbench::fibers {

class Poller {
 public:
  static Poller* OfProcess() noexcept {
    return nullptr;
  }

  PollTurn& Turn() noexcept {
    return turn_;
  }
  void EndAbsence() noexcept {
  }
  void Leave() noexcept {
  }
  void Poll(std::int64_t /*timeout_ns*/, ReadyFibers& /*ready*/) noexcept {
  }
  void Break() noexcept {
  }
  void AddDriver() noexcept {
  }
  void RemoveDriver() noexcept {
  }
  static int UseRing() noexcept {
    return 0;
  }
  static bool UsesRing() noexcept {
    return true;
  }
  static void LeaveRing() noexcept {
  }
  std::uint64_t OperationsInRing() const noexcept {
    return 0;
  }

 private:
  PollTurn turn_;
};

}  // namespace schedbench::fibers
