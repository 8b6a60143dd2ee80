#include "platform/time/wall_clock.hpp"

#include <ctime>

namespace schedbench::platform {

std::int64_t UnixSeconds() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  return now.tv_sec;
}

}  // namespace schedbench::platform
