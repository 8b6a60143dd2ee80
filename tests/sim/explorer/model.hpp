#pragma once

#include "tests/sim/machine/machine.hpp"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <source_location>
#include <string>
#include <vector>

namespace schedbench::sim {

// A small program over shipped code, whose every execution must hold what it checks. Runs as thread
// 0 of the Machine: starts threads, joins them, calls Check. Must be the same at each call.
struct Model {
  std::string name;   // part/what
  std::string claim;  // what is shown, as a sentence
  // To which it is explored completely in `make test`.
  Limits limits;
  std::function<void()> body;
  // Executed until this fails, the model is right to fail: it shows that a fault is seen.
  bool must_fail = false;
  std::string file = {};  // the source that registers it, without folder and ending
};

// Declares a model at namespace scope.
class ModelRegistration {
 public:
  explicit ModelRegistration(Model model,
                             std::source_location where = std::source_location::current()) {
    model.file = std::filesystem::path(where.file_name()).stem().string();
    All().push_back(std::move(model));
  }

  static std::vector<Model>& All() {
    static std::vector<Model> models;
    return models;
  }
};

// Fails the execution unless `holds`.
inline void Check(bool holds, const char* what) {
  if (!holds) {
    Machine::Instance().Fail("%s", what);
  }
}

}  // namespace schedbench::sim
