#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::graph {

// Finds the events of a trace in Chrome's JSON format in turn, without a tree of all. The array of
// events is the text, or the member "traceEvents" of an object. As the format permits, the array
// may end without `]`, even within an event, and a comma may follow its last event. Throws
// FormatError.
class JsonEvents {
 public:
  explicit JsonEvents(std::string_view text);

  // Returns the text of the next event, an object whose brackets match; "" at the end.
  std::string_view Next();

  // Returns the line of the last event, from 1.
  std::size_t Line() const;

  // Counts the array's values that are not objects, and an event that the text's end has cut.
  std::size_t LeftOut() const {
    return left_out_;
  }

  // Real events nest arguments a few levels deep. For this depth the recursion of the JSON library
  // needs no more stack than a thread has.
  static constexpr std::size_t kDeepestNesting = 200;

 private:
  [[noreturn]] void Refuse(std::string_view why) const;
  // Skips blanks, and commas if `commas`. Returns false at the end of the text.
  bool Skip(bool commas);
  // Takes the next value: a text, an object, an array or a word. Returns "" if the text's end cuts
  // it.
  std::string_view Value();
  void FindArray();

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t event_ = 0;  // start of the last event
  std::size_t left_out_ = 0;
  bool is_member_ = false;  // whether the array is in an object
  bool has_ended_ = false;
};

}  // namespace schedbench::graph
