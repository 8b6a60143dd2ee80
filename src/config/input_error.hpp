#pragma once

#include "config/problems.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::config {

// The user's input is wrong: exit code 2. what() has one line per problem, without a newline at its
// end; the places and the paths of several problems stand in columns.
class InputError : public std::runtime_error {
 public:
  // Requires: problems is not empty.
  explicit InputError(std::vector<Problem> problems);
  explicit InputError(std::string message);

  const std::vector<Problem>& Problems() const {
    return problems_;
  }

 private:
  std::vector<Problem> problems_;
};

}  // namespace schedbench::config
