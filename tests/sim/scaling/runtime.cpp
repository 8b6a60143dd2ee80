// What the runtime of a program is whose time is simulated: assertions, failures, memory of stacks.
#include "base/assert.hpp"
#include "base/failure.hpp"
#include "platform/memory/memory.hpp"
#include "registry/build_info.hpp"
#include "tests/sim/scaling/machine/machine.hpp"

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

namespace platform {

void* ReserveMemory(std::size_t bytes) noexcept {
  return sim_scaling::Machine::Instance().SimulatedMemory().ReserveFiberStacks(bytes);
}

void ReleaseMemory(void* /*memory*/, std::size_t /*bytes*/) noexcept {
}

bool InstallGuard(void* /*page*/, GuardKind /*kind*/) noexcept {
  return true;
}

std::size_t MaxMappings() noexcept {
  return 65530;
}

std::optional<std::uint64_t> AvailableMemoryBytes() noexcept {
  return std::nullopt;
}

}  // namespace platform

// Only listings of schedulers name it.
const registry::BuildInfo& registry::ThisBuild() {
  static const BuildInfo build{};
  return build;
}
}  // namespace schedbench
