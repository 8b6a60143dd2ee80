#pragma once

#include <stdexcept>

namespace schedbench::cli {

// The result is of another machine or build, or of other work: exit code 5. what() has one line for each difference.
class NotComparable : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace schedbench::cli
