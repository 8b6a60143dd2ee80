#include "stats/looks.hpp"

#include "stats/order_statistics.hpp"

#include <algorithm>
#include <cmath>

namespace schedbench::stats {

double Looks::LevelOf(std::size_t look) const {
  return 1 - std::ldexp(1 - level_, -static_cast<int>(look) - 1);
}

std::size_t Looks::SizeOf(std::size_t look) const {
  std::size_t size = SmallestSampleWithInterval(LevelOf(0));
  for (std::size_t i = 1; i <= look; ++i) {
    size = std::max(size + (size + 1) / 2, SmallestSampleWithInterval(LevelOf(i)));
  }
  return size;
}

std::size_t Looks::CountUpTo(std::size_t size) const {
  std::size_t count = 0;
  while (SizeOf(count) <= size) {
    ++count;
  }
  return count;
}

Looks::Look Looks::LastOf(std::size_t size) const {
  const std::size_t done = CountUpTo(size);
  if (done == 0) {
    return {.size = 0, .level = LevelOf(0)};
  }
  const std::size_t last = SizeOf(done - 1);
  if (size > last) {  // one more value is enough for an interval that fails half as often
    return {.size = size, .level = LevelOf(done)};
  }
  return {.size = last, .level = LevelOf(done - 1)};
}

bool Looks::IsDueAt(std::size_t size) const {
  const std::size_t done = CountUpTo(size);
  return done > 0 && SizeOf(done - 1) == size;
}

}  // namespace schedbench::stats
