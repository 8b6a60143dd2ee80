#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace sim_scaling {

using Time = std::uint64_t;  // picoseconds

inline constexpr unsigned kMaxCores = 1088;  // 1,024 workers and all other threads
inline constexpr std::size_t kLineBytes = 64;

// What it takes to move a line.
struct Distances {
  Time near = 0;         // from a core that shares a cache
  Time far = 0;          // from another core
  Time read = 0;         // a line serves a reader, and continues with the next one
  unsigned cluster = 0;  // cores that share a cache: a power of two; 0: all of them
};

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

  // Returns how many holders share a cache with `core`, itself included.
  unsigned HoldersNear(unsigned core, unsigned cluster) const noexcept {
    if (cluster == 0) {
      return holder_count;
    }
    if (cluster < 64) {
      const std::uint64_t cores = (std::uint64_t{1} << cluster) - 1;
      const unsigned first = core % 64 / cluster * cluster;
      return static_cast<unsigned>(std::popcount(holders[core / 64] & cores << first));
    }
    unsigned near = 0;
    const std::size_t first = core / cluster * (cluster / 64);
    for (std::size_t i = first; i < std::min(first + cluster / 64, holders.size()); ++i) {
      near += static_cast<unsigned>(std::popcount(holders[i]));
    }
    return near;
  }

  // A read by `core` at `now`. Returns when the line is there. The nearest holder sends it. Readers
  // wait for each other, but not for a whole transfer.
  Time Read(unsigned core, Time now, const Distances& distances) noexcept {
    if (!used) {
      return Claim(core, now);
    }
    if (IsHeldBy(core)) {
      return now;
    }
    const bool is_near = HoldersNear(core, distances.cluster) != 0;
    AddHolder(core);
    exclusive = false;
    const Time begin = std::max(busy_until, now);
    busy_until = begin + distances.read;
    return begin + (is_near ? distances.near : distances.far);
  }

  // A write, which takes the line from all others, the farthest included. Returns when it is there.
  // Writers wait for each other.
  Time Write(unsigned core, Time now, const Distances& distances) noexcept {
    if (!used || !IsHeldByOthers(core)) {
      return Claim(core, now);
    }
    const bool is_near = HoldersNear(core, distances.cluster) == holder_count;
    holders = {};
    holder_count = 0;
    AddHolder(core);
    exclusive = true;
    busy_until = std::max(busy_until, now) + (is_near ? distances.near : distances.far);
    return busy_until;
  }

 private:
  Time Claim(unsigned core, Time now) noexcept {
    used = true;
    exclusive = true;
    AddHolder(core);
    return std::max(busy_until, now);
  }
};

}  // namespace sim_scaling
