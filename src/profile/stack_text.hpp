#pragma once

#include "profile/folded.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Stacks that another program wrote as text. Pure; thread-safe.

namespace schedbench::profile {

// The stacks of one event of a file.
struct EventStacks {
  std::string event{};  // perf's name: "cycles:u"; "" for folded stacks
  std::string unit{};   // unit of the weights: "samples", "ns", "cycles", "faults"; "" if unknown
  FoldedStacks stacks{};
  std::optional<FoldedStacks> before{};  // for a difference: two weights per line
};

// The content of a file.
struct StackText {
  std::vector<EventStacks> events{};  // in the order of the file; none is empty
  std::uint64_t scale = 1;            // factor of all weights: 100 if there are hundredths
  bool marks_are_ours = false;        // the reader added the marks of the frames (foreign_name.hpp)
  std::vector<std::string> left_out{};  // texts by kind: "bad lines: 3, the first in line 1: '?'"
  std::vector<std::string> notes{};     // notes on the stacks: "45 samples were lost by perf"
};

// Counts what a reader leaves out, by kind.
class LeftOut {
 public:
  // `kinds`: the kind in the plural: "bad lines". The message repeats `text`, which may be empty.
  void Count(std::string_view kinds, std::size_t line, std::string_view text = "");

  // Returns a text for each kind.
  std::vector<std::string> Texts() const;

 private:
  struct Kind {
    std::size_t count = 0;
    std::size_t line = 0;  // line of the first one
    std::string text{};
  };
  std::map<std::string, Kind, std::less<>> kinds_;
};

// Adds to a stack's weight. Throws config::InputError, with `file`, above 64 bits.
void AddWeight(FoldedStacks& stacks, std::string stack, std::uint64_t weight,
               std::string_view file);

// Reads folded stacks or the text of `perf script`, in UTF-8 or, with a byte order mark, UTF-16.
// Throws config::InputError if the text is neither, or lacks a stack; for a binary file the message
// has the command that converts it. `file`: its name in messages.
StackText ReadStackText(std::string_view text, std::string_view file);

}  // namespace schedbench::profile
