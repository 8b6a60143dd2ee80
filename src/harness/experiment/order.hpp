#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::harness {

// The order in which a block of rounds takes `count` alternatives: rounds[r] has the place of each, once. A random order,
// turned by one from round to round, so that over `count` rounds each is in each place once: a cyclic Latin square. What
// drifts while the machine warms up is shared alike, and, as the order is drawn anew, so is what runs after what; with two it is
// A B, B A.
// `block` and `seed` decide the random order.
std::vector<std::vector<std::size_t>> BlockOrder(std::size_t count, std::size_t rounds,
                                                 std::size_t block, std::uint64_t seed);

}  // namespace schedbench::harness
