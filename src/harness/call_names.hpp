#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::harness {

// Returns what a report calls the functions at an address of code, innermost first: "fibers::Mutex::Lock (mutex.cpp:41)", or
// "read (libc.so.6)" where no line is known. Leaves out inlined functions of the standard library and the calls of std::function,
// and so may return none. The first call takes some tenths of a second. Not in a signal handler.
std::vector<std::string> CallNames(std::uintptr_t address);

}  // namespace schedbench::harness
