#pragma once

#include <string>
#include <string_view>
#include <vector>

// Names of frames that another program has written. Pure; thread-safe.

namespace schedbench::profile {

// Returns a text for folded stacks: without ';', control characters, outer blanks; never empty.
std::string FrameName(std::string_view text);

// Returns the frames of a line of perf, from the outermost inwards: several where a Java compiler
// has inlined ("A->B->C"). Names of C++ and Rust lose parameters and return types (ShortName());
// those of Go, Java, JavaScript and others remain. Different functions keep different names of any
// length. A frame ends with a mark for TakeMark().
std::vector<std::string> FrameNames(std::string_view address, std::string_view symbol,
                                    std::string_view module);

// Removes the mark at the end of a frame and returns its letter: "f_[k]" is in the kernel, [j] is
// compiled at run time, [i] is inlined, [l] is in a library, [w] is of the waking thread. 0 without
// a mark.
char TakeMark(std::string_view& frame);

// Returns folded frames without their marks.
std::string WithoutMarks(std::string_view stack);

}  // namespace schedbench::profile
