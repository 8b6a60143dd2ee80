#pragma once

#include "platform/threads/mutex.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A block that a machine measures.
struct PlaceJob {
  std::size_t place;  // index in the plan
  std::size_t block;
};

// Returns at most one job for each machine that is not lost (`lost` has the reasons). A block that
// was begun continues on its machine; the machines take turns with the others.
std::vector<PlaceJob> PlaceBlocks(
    std::vector<std::size_t> blocks, const std::vector<std::string>& lost,
    const std::function<std::optional<std::size_t>(std::size_t block)>& place_that_knows);

// Does the jobs, each on its own thread, and returns after the last one. Asks `cancelled` many
// times a second with the mutex held, on the thread of the caller; `work` gets its own function to
// ask. An exception of a job cancels the others, and is thrown after they have ended.
void AtTheSameTime(
    const std::vector<PlaceJob>& jobs, platform::Mutex& mutex,
    const std::function<bool()>& cancelled,
    const std::function<void(const PlaceJob& job, const std::function<bool()>& cancelled)>& work);

}  // namespace schedbench::harness
