// The runtime of a program with simulated time: assertions, failures, memory of stacks.
#include "base/assert.hpp"
#include "base/failure.hpp"
#include "graph/graph_file.hpp"
#include "platform/files/input_file.hpp"
#include "platform/memory/memory.hpp"
#include "registry/build_info.hpp"
#include "simulation/machine/machine.hpp"

#include <exception>
#include <optional>
#include <string>

namespace schedbench {

void AssertionFailed(const char* file, int line, const char* condition,
                     const char* message) noexcept {
  const std::string text = std::string(file) + ":" + std::to_string(line) +
                           ": assertion failed: " + condition + " (" + message + ")";
  sim_scaling::Machine::Fail(text.c_str());
}

void FailRun(std::string_view message, FailureKind /*kind*/) noexcept {
  sim_scaling::Machine::Fail(std::string(message).c_str());
}

// Uses the memory of the process: a core's heap may be too small, and a program that is recorded
// does not read its graph either.
graph::TaskGraph graph::ReadGraph(const std::string& path) {
  sim_scaling::Machine& machine = sim_scaling::Machine::Instance();
  const bool allocates = machine.SetAllocates(false);
  try {
    TaskGraph graph = Decode(platform::ReadInput(path, {.largest = kLargestFile}));
    machine.SetAllocates(allocates);
    return graph;
  } catch (const std::exception& error) {
    sim_scaling::Machine::Fail(error.what());
  }
}

namespace platform {

void* ReserveMemory(std::size_t bytes) noexcept {
  return sim_scaling::Machine::Instance().SimulatedMemory().ReserveFiberStacks(bytes);
}

void ReleaseMemory(void* /*memory*/, std::size_t /*bytes*/) noexcept {
}

bool InstallGuard(void* /*page*/, GuardKind /*kind*/) noexcept {
  return true;
}

bool InstallGuards(std::span<void* const> /*pages*/) noexcept {
  return true;
}

bool PopulatePages(std::span<void* const> /*pages*/) noexcept {
  return true;
}

std::size_t MaxMappings() noexcept {
  return 65530;
}

std::optional<std::uint64_t> AvailableMemoryBytes() {
  return std::nullopt;
}

}  // namespace platform

// Only listings of schedulers use it.
const registry::BuildInfo& registry::ThisBuild() {
  static const BuildInfo build{};
  return build;
}
}  // namespace schedbench
