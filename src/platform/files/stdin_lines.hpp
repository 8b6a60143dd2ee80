#pragma once

#include <optional>
#include <string>

namespace schedbench::platform {

// The lines of stdin, which nothing else reads meanwhile. Used by one thread at a time.
class StdinLines {
 public:
  // Waits for a line and returns it without its end; none when the input has ended or cannot be read.
  std::optional<std::string> Next();

  // Whether Next() has something to return: a line has begun, or the input has ended.
  bool IsReady() const noexcept;

 private:
  // Reads some of the input. Returns false at its end.
  bool Read();

  std::string text_;  // read, and not returned yet
};

}  // namespace schedbench::platform
