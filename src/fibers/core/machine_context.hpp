#pragma once

#include "base/attributes.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace schedbench::fibers {

// The first function on each stack; it must not return. It is defined in fiber_stack.cpp.
extern "C" void SchedbenchEnterStack(void* message) noexcept;

}  // namespace schedbench::fibers

// The registers of a call stack that is not running: class MachineContext, which has an
// implementation for each machine with the same interface:
//
//   static MachineContext Make(void* top, std::size_t bytes) noexcept;
//     Prepares a stack that grows down from `top` (16-aligned), `bytes` long. It starts with
//     SchedbenchEnterStack(message), with the message that the first Switch() to it carries.
//   static void* Switch(MachineContext& from, MachineContext& to, void* message) noexcept;
//     Leaves the running stack, which is saved in `from`, for `to`. Returns, when a thread switches
//     back to `from`, the message of that switch.
//
// In the inline versions the compiler saves the registers it needs. Such a switch is not a call, so
// the CPU's return predictor, which pairs calls with returns, stays in step and predicts the
// returns after a switch. Boost.Context serves all other machines, and the build option
// SCHEDBENCH_SWITCH=boost. `make bench` shows both.
#if defined(SB_BOOST_SWITCH) || !(defined(__x86_64__) || defined(__aarch64__))
#include "fibers/core/machine_context_boost.hpp"
#else
#define SB_INLINE_SWITCH 1
#if defined(__x86_64__)
#include "fibers/core/machine_context_x86_64.hpp"
#else
#include "fibers/core/machine_context_aarch64.hpp"
#endif
#endif

namespace schedbench::fibers {

// The compiled kind of switch, for reports on the build.
#if defined(SB_INLINE_SWITCH)
inline constexpr std::string_view kContextSwitch = "inline";
#else
inline constexpr std::string_view kContextSwitch = "boost";
#endif

}  // namespace schedbench::fibers
