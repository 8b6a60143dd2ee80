#pragma once

#include "config/problems.hpp"

#include <stdexcept>
#include <string>
#include <vector>

namespace schedbench::config {

// The user's input is wrong: exit code 2. what() has one line per problem, without a final newline;
// the locations and the paths of several problems form columns.
class InputError : public std::runtime_error {
 public:
  // Requires: problems is not empty. `may_be_cut`: see MayBeCut().
  explicit InputError(std::vector<Problem> problems, bool may_be_cut = false);
  explicit InputError(std::string message);

  const std::vector<Problem>& Problems() const {
    return problems_;
  }

  // Returns whether there may be more problems.
  bool MayBeCut() const {
    return may_be_cut_;
  }

 private:
  std::vector<Problem> problems_;
  bool may_be_cut_;
};

}  // namespace schedbench::config
