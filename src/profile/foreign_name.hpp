#pragma once

#include <string>
#include <string_view>
#include <vector>

// Names of frames that another program has written. Pure; thread-safe.

namespace schedbench::profile {

// Returns a text that is safe in folded stacks: without ';', control characters and blanks at its
// ends; never empty.
std::string FrameName(std::string_view text);

// Returns the frames that a line of perf stands for, from the outermost inwards: more than one
// where a compiler of Java has inlined ("A->B->C"). Names of C++ and Rust lose parameters and
// return types (ShortName()); those of Go, Java, JavaScript and others stay. Different functions
// keep different names, however long. A frame ends with a mark that TakeMark() reads.
std::vector<std::string> FrameNames(std::string_view address, std::string_view symbol,
                                    std::string_view module);

// Returns the letter of the mark at the end of a frame, and removes the mark: "f_[k]" is in the
// kernel, [j] is compiled at run time, [i] is inlined, [l] is in a library, [w] belongs to the
// thread that woke this one. 0 without a mark.
char TakeMark(std::string_view& frame);

// Returns folded frames without their marks.
std::string WithoutMarks(std::string_view stack);

}  // namespace schedbench::profile
