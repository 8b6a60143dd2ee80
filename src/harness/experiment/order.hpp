#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::harness {

// Returns the order in which a block of rounds takes `count` alternatives: rounds[r] is a
// permutation of their indices. It is random and rotates by one from round to round, so over
// `count` rounds each alternative is once at each index (a cyclic Latin square). Drift while the
// machine warms up is shared evenly, and new random orders also share the effects of predecessors;
// two alternatives give A B, B A. `block` and `seed` determine the random order.
std::vector<std::vector<std::size_t>> BlockOrder(std::size_t count, std::size_t rounds,
                                                 std::size_t block, std::uint64_t seed);

}  // namespace schedbench::harness
