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
  // Requires: problems is not empty. `may_be_cut`: see MayBeCut().
  explicit InputError(std::vector<Problem> problems, bool may_be_cut = false);
  explicit InputError(std::string message);

  const std::vector<Problem>& Problems() const {
    return problems_;
  }

  // Whether there may be more than these.
  bool MayBeCut() const {
    return may_be_cut_;
  }

 private:
  std::vector<Problem> problems_;
  bool may_be_cut_;
};

}  // namespace schedbench::config
