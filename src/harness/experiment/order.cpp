#include "harness/experiment/order.hpp"

#include "base/random.hpp"
#include "base/random_choice.hpp"
#include "base/vector_of.hpp"

#include <utility>

namespace schedbench::harness {

std::vector<std::vector<std::size_t>> BlockOrder(std::size_t count, std::size_t rounds,
                                                 std::size_t block, std::uint64_t seed) {
  std::vector<std::size_t> first = Indices(count);
  // Fisher-Yates shuffle.
  RandomChoice random(DeriveSeed(seed, block));
  for (std::size_t i = count; i > 1; --i) {
    std::swap(first[i - 1], first[random.Below(static_cast<std::uint32_t>(i))]);
  }
  std::vector<std::vector<std::size_t>> order(rounds, std::vector<std::size_t>(count));
  for (std::size_t round = 0; round < rounds; ++round) {
    for (std::size_t place = 0; place < count; ++place) {
      order[round][place] = first[(place + round) % count];
    }
  }
  return order;
}

}  // namespace schedbench::harness
