#pragma once

#include "harness/top/snapshot.hpp"
#include "report/top/text_grid.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

namespace schedbench::report {

// The sort key of the workers: the number ascends, all others descend.
enum class TopOrder : std::uint8_t { kNumber, kQueue, kSwitches, kBusy };

// The content of a frame of `schedbench top` in addition to the snapshot.
struct TopView {
  std::string title;      // "fast, pingpong"
  std::string operation;  // "round trip"; "" where the throughput is unknown
  bool is_go = false;     // use the words of Go: P, goroutines
  bool unicode = true;
  TopOrder order = TopOrder::kNumber;
  bool paused = false;
  bool logarithmic = false;  // plots are logarithmic
  std::string message{};     // a line above the keys; "" for none
};

// The smallest frame with content; a smaller one only says that the terminal is too small.
inline constexpr std::size_t kLeastRows = 12;
inline constexpr std::size_t kLeastColumns = 60;

// Draws a frame of this size. Pure.
TextGrid TopFrame(const TopView& view, const harness::TopSnapshot& snapshot,
                  const harness::TopHistory& history, std::size_t rows, std::size_t columns);

// Returns a frame without keys and plots, with all workers, as lines of text for pipes. Pure.
std::string TopText(const TopView& view, const harness::TopSnapshot& snapshot);

// Returns the order that follows a given one; after the last one the first.
TopOrder NextOrder(TopOrder order);

// Draws the head and the rows of the workers from `first` on, at most `room` rows with the head. If
// not all workers fit, the last row has the number of missing ones.
void PutWorkers(const TopView& view, const harness::TopSnapshot& snapshot, std::size_t first,
                std::size_t room, TextGrid& grid);

}  // namespace schedbench::report
