#pragma once

#include <optional>
#include <string>

namespace schedbench::platform {

// The lines of stdin, which nothing else may read. One thread at a time uses it.
class StdinLines {
 public:
  // Waits for a line and returns it without its end; nothing at the end or an error of the input.
  std::optional<std::string> Next();

  // Returns whether Next() has a result: a line has started, or the input has ended.
  bool IsReady() const noexcept;

 private:
  // Reads some of the input. Returns false at its end.
  bool Read();

  std::string text_;  // read, but not returned yet
};

}  // namespace schedbench::platform
