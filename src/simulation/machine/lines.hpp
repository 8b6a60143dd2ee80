#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace sim_scaling {

using Time = std::uint64_t;  // picoseconds

inline constexpr unsigned kMaxCores = 1088;  // 1,024 workers and all other threads
inline constexpr std::size_t kLineBytes = 64;

// The cores that hold a cache line. All zero: no core has used it.
struct Line {
  std::array<std::uint64_t, kMaxCores / 64> holders;
  std::uint32_t holder_count;
  Time busy_until;  // a core takes the line exclusively until then
  bool used;
  bool exclusive;  // the only holder may write to it

  bool IsHeldBy(unsigned core) const noexcept {
    return (holders[core / 64] >> core % 64 & 1U) != 0;
  }

  void AddHolder(unsigned core) noexcept {
    holder_count += IsHeldBy(core) ? 0 : 1;
    holders[core / 64] |= std::uint64_t{1} << core % 64;
  }

  bool IsHeldByOthers(unsigned core) const noexcept {
    return holder_count > (IsHeldBy(core) ? 1U : 0U);
  }

  // A read by `core` at `now`. Returns when the line is there. Readers do not wait for each other.
  Time Read(unsigned core, Time now, Time transfer) noexcept {
    if (!used) {
      return Claim(core, now);
    }
    if (IsHeldBy(core)) {
      return now;
    }
    AddHolder(core);
    exclusive = false;
    return (busy_until > now ? busy_until : now) + transfer;
  }

  // A write, which takes the line from all others. Returns when it is there. Writers wait for each
  // other.
  Time Write(unsigned core, Time now, Time transfer) noexcept {
    if (!used || !IsHeldByOthers(core)) {
      return Claim(core, now);
    }
    holders = {};
    holder_count = 0;
    AddHolder(core);
    exclusive = true;
    busy_until = (busy_until > now ? busy_until : now) + transfer;
    return busy_until;
  }

 private:
  Time Claim(unsigned core, Time now) noexcept {
    used = true;
    exclusive = true;
    AddHolder(core);
    return busy_until > now ? busy_until : now;
  }
};

}  // namespace sim_scaling
