#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// One thing that is wrong in what the user gave. User text inside is already quoted
// (config/quote.hpp).
struct Problem {
  std::string where;  // "fast.json:7:5", "--set workers=x"; may be empty
  std::string path;   // "/fibers/stack_bytes" in a file, a parameter's name in a spec; may be empty
  std::string message;     // "0 is outside 1..100000"
  bool if_chosen = false;  // see Problems::AddUnused

  bool operator==(const Problem&) const = default;
};

// Collects everything that is wrong, so that the user can fix it in one go. Not thread-safe.
class Problems {
 public:
  // Does nothing when Full().
  void Add(std::string where, std::string path, std::string message);

  // Adds a problem from a config's Check(): `field` is its dotted path inside that config
  // ("fibers.guard"); CheckRules() turns it into the place where the user set the value.
  void Add(std::string_view field, std::string message);

  // The same of a field that has no effect beside the others: a problem only where the user has chosen its value, by
  // giving it in a flag, or another one than the default. A file may list all fields, and so does a recorded config.
  void AddUnused(std::string_view field, std::string message);

  // Does nothing when Full().
  void Add(Problem problem);

  bool empty() const {
    return list_.empty();
  }
  const std::vector<Problem>& List() const {
    return list_;
  }

  // More are not fixed at a time, and a file of a million wrong keys must not cost minutes: a
  // parser stops when the list is full.
  bool Full() const {
    return list_.size() == kMax;
  }

  // Throws InputError with all problems, in the order of Add, if there is one.
  void ThrowIfAny() const;

 private:
  static constexpr std::size_t kMax = 100;  // some screens; arbitrary

  std::vector<Problem> list_;
};

}  // namespace schedbench::config
