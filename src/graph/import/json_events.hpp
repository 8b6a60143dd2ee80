#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::graph {

// Finds the events of a trace in Chrome's JSON format, one after the other, without a tree of the
// whole text. The array of events is the text, or the member "traceEvents" of an object. As the
// format permits, the array may end without `]`, also in the middle of an event, and a comma may
// follow its last event. Throws FormatError.
class JsonEvents {
 public:
  explicit JsonEvents(std::string_view text);

  // Returns the text of the next event, an object whose brackets match; "" at the end.
  std::string_view Next();

  // The line of the last event, from 1.
  std::size_t Line() const;

  // Values in the array that are no objects, and an event that the end of the text has cut.
  std::size_t LeftOut() const {
    return left_out_;
  }

  // Arguments of real events nest a few levels. The recursion of the JSON library needs no more
  // stack for this many than a thread has.
  static constexpr std::size_t kDeepestNesting = 200;

 private:
  [[noreturn]] void Refuse(std::string_view why) const;
  // Skips blanks; commas too where `commas`. Returns false at the end of the text.
  bool Skip(bool commas);
  // Takes the value that begins here: a text, an object, an array or a word. Returns "" if the end
  // of the text cuts it.
  std::string_view Value();
  void FindArray();

  const std::string_view text_;
  std::size_t at_ = 0;
  std::size_t event_ = 0;  // where the last one begins
  std::size_t left_out_ = 0;
  bool is_member_ = false;  // the array is in an object
  bool has_ended_ = false;
};

}  // namespace schedbench::graph
