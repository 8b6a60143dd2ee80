#pragma once

#include <cstdint>

namespace schedbench::platform {

// fork() copies one thread alone: a scheduler whose workers were others is dead in the child, and what is submitted to
// it would wait for ever. So schedulers remember the generation that they were made in and compare it where a thread
// from outside comes in; the numbers differ in a child.
//
// Any thread.
std::uint64_t ForkGeneration() noexcept;

// From now on calls `forget` in each child of fork(), in its only thread, which is the one that called fork().
// To be called before main, by a static variable outside of functions, and returns true for that. A thread that is in the
// middle of this call when another one forks leaves the list of handlers, or the variable of a function, locked for ever in
// the child.
bool CallInChildren(void (*forget)() noexcept) noexcept;

// Ends the process with a message that names the mistake, when `made_in` is not the present generation: the caller is in
// a child of fork() and uses a scheduler of the parent.
void RequireSameProcess(std::uint64_t made_in) noexcept;

// Ends the process with the same message: for what is only called in a child.
[[noreturn]] void RefuseInChild() noexcept;

}  // namespace schedbench::platform
