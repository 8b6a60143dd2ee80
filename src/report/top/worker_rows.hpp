#pragma once

#include "report/top/top_frame.hpp"

#include <cstddef>

namespace schedbench::report {

// Draws the head and the rows of the workers from `first` on, at most `room` rows with the head. If not all workers fit, the
// last row says how many are missing.
void PutWorkers(const TopView& view, const harness::TopSnapshot& snapshot, std::size_t first,
                std::size_t room, TextGrid& grid);

}  // namespace schedbench::report
