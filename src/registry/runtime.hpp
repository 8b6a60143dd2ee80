#pragma once

#include <string_view>

namespace schedbench::registry {

// The runtime whose schedulers and workloads a program has, for a tool that measures it as an
// agent.
struct RuntimeInfo {
  std::string_view name;     // "oneTBB"
  std::string_view version;  // as the runtime calls it: "2021.8.0"
  std::string_view tasks;    // what its units of work are, in few words: "fibers"
};

// The one that was registered; else this project's.
const RuntimeInfo& Runtime();

// Registers a foreign runtime for the life of the program: at most one.
class RuntimeRegistration {
 public:
  // Copies `runtime`. Before main. Asserts that it is the first.
  explicit RuntimeRegistration(const RuntimeInfo& runtime);
};

}  // namespace schedbench::registry
