#pragma once

#include <string_view>

namespace schedbench::registry {

// The runtime of a program's schedulers and workloads, for a tool that measures it as an agent.
struct RuntimeInfo {
  std::string_view name;     // "oneTBB"
  std::string_view version;  // the runtime's own text: "2021.8.0"
  std::string_view tasks;    // units of work, in few words: "fibers"
};

// Returns the registered runtime, otherwise this project's.
const RuntimeInfo& Runtime();

// Registers a foreign runtime for the life of the program: at most one.
class RuntimeRegistration {
 public:
  // Copies `runtime`. Runs before main. Asserts that it is the first.
  explicit RuntimeRegistration(const RuntimeInfo& runtime);
};

}  // namespace schedbench::registry
