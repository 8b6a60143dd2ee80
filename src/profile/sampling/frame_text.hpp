#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Names of frames as the readers of stacks take them. stackcollapse-perf.pl, inferno, speedscope and the Firefox
// Profiler give some characters a meaning of their own: they end a name at its first parenthesis, drop one that begins
// with a parenthesis, split at ';' and at "->", and remove quotes. README.md in this folder has the list.
// Pure; thread-safe.

namespace schedbench::profile {

// Longest name that is written, in characters. Arbitrary: what still fits a screen.
inline constexpr std::size_t kLongestName = 200;

// Returns a name that all readers take as it is: of any text, also of none and of bytes that are no UTF-8. Texts that
// differ only in what the readers do not take become the same.
std::string SafeName(std::string_view text);

// Returns a path without what ends it early: blanks, parentheses, a mark that the file is gone.
std::string SafeModule(std::string_view path);

// Returns what comes after the last slash.
std::string_view FileName(std::string_view path);

// What stands for a fiber: "fiber:" and its name, or where it was started: "fiber:main.cpp:12".
std::string FiberText(std::string_view name, std::string_view file, std::uint32_t line);

// The frame that stands for it. Its `file` is the place where it was started: "main.cpp:12".
Frame FiberFrame(std::string_view name, std::string_view file, std::uint32_t line);

// What a frame is called in folded stacks and in perf's text.
std::string FrameText(const Frame& frame);

}  // namespace schedbench::profile
