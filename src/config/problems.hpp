#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

// A problem in the user's input. User text in it is already quoted (config/quote.hpp).
struct Problem {
  std::string where;  // "fast.json:7:5", "--set workers=x"; may be empty
  std::string path;   // "/fibers/stack_bytes" in a file, a parameter's name in a spec; may be empty
  std::string message;     // "0 is outside 1..100000"
  bool if_chosen = false;  // see Problems::AddUnused

  bool operator==(const Problem&) const = default;
};

// Collects all problems, so that the user can fix them at once. Not thread-safe.
class Problems {
 public:
  // Does nothing when Full().
  void Add(std::string where, std::string path, std::string message);

  // Adds a problem from a config's Check(). `field`: its dotted path in that config
  // ("fibers.guard"); CheckRules() turns it into the location where the user set the value.
  void Add(std::string_view field, std::string message);

  // Adds a problem with a field that has no effect with the others. It counts only if the user has
  // chosen the value: by a flag, or another one than the default. Files and recorded configs may
  // list all fields.
  void AddUnused(std::string_view field, std::string message);

  // Does nothing when Full().
  void Add(Problem problem);

  bool empty() const {
    return list_.empty();
  }
  const std::vector<Problem>& List() const {
    return list_;
  }

  // A parser stops when the list is full: users do not fix more at a time, and a file of a million
  // wrong keys must not cost minutes.
  bool Full() const {
    return list_.size() == kMax;
  }

  // Throws InputError with all problems, in the order of Add, if there is one.
  void ThrowIfAny() const;

 private:
  static constexpr std::size_t kMax = 100;  // arbitrary: some screens

  std::vector<Problem> list_;
};

}  // namespace schedbench::config
