#pragma once

#include <cstdint>

namespace schedbench::platform {

// Seconds since 1970 by the clock of the machine, which a user or a time server may set to any value: for dates, not for
// durations and not for an order.
std::int64_t UnixSeconds() noexcept;

}  // namespace schedbench::platform
