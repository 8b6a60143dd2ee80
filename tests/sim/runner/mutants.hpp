#pragma once

#include "tests/sim/runner/options.hpp"

namespace schedbench::sim {

// Finds all places where the code that the models run uses an order, a read-modify-write or a futex
// wake, puts a fault there, one at a time, and explores the models that come by until one fails.
// Prints a table. Returns 0 if each fault was seen, or stands in the file of survivors.
int RunMutants(const Options& options);

}  // namespace schedbench::sim
