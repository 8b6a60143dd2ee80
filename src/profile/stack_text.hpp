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
  std::string event{};  // as perf names it: "cycles:u"; "" of folded stacks
  std::string
      unit{};  // of the weights: "samples", "ns", "cycles", "faults"; "" where it is not known
  FoldedStacks stacks{};
  std::optional<FoldedStacks> before{};  // of a difference: two weights per line
};

// What a file holds.
struct StackText {
  std::vector<EventStacks> events{};  // in the order of the file; none is empty
  std::uint64_t scale = 1;      // all weights are multiplied by it: 100 if there are hundredths
  bool marks_are_ours = false;  // the reader added those of the frames (foreign_name.hpp)
  std::vector<std::string> left_out{};  // by kind: "bad lines: 3, the first in line 1: '?'"
  std::vector<std::string>
      notes{};  // what to know about the stacks: "45 samples were lost by perf"
};

// Counts what a reader leaves out, by kind.
class LeftOut {
 public:
  // `kinds`: what it is, in the plural: "bad lines". `text` is repeated in the message; may be
  // empty.
  void Count(std::string_view kinds, std::size_t line, std::string_view text = "");

  // Returns a text for each kind.
  std::vector<std::string> Texts() const;

 private:
  struct Kind {
    std::size_t count = 0;
    std::size_t line = 0;  // of the first one
    std::string text{};
  };
  std::map<std::string, Kind, std::less<>> kinds_;
};

// Adds to the weight of a stack. Throws config::InputError if the sum does not fit into 64 bits;
// `file`: for the message.
void AddWeight(FoldedStacks& stacks, std::string stack, std::uint64_t weight,
               std::string_view file);

// Reads folded stacks or the text of `perf script`, in UTF-8 or, with a byte order mark, in UTF-16.
// Throws config::InputError if the text is neither, or has no stack; a binary file is named with
// the command that converts it. `file`: its name in messages.
StackText ReadStackText(std::string_view text, std::string_view file);

}  // namespace schedbench::profile
