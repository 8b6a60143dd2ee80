#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

// Names of frames for the readers of stacks. stackcollapse-perf.pl, inferno, speedscope and the
// Firefox Profiler treat some characters specially: they end a name at its first parenthesis, drop
// one that begins with a parenthesis, split at ';' and at "->", and remove quotes. README.md in
// this folder has the list. Pure; thread-safe.

namespace schedbench::profile {

// Most characters of a written name. Arbitrary: it fits on a screen.
inline constexpr std::size_t kLongestName = 200;

// Returns a name that all readers take unchanged, for any text, even an empty one or invalid UTF-8.
// Texts that only differ in what readers cannot take become equal.
std::string SafeName(std::string_view text);

// Returns a path without what ends it early: blanks, parentheses, a mark that the file is gone.
std::string SafeModule(std::string_view path);

// Returns the part after the last slash.
std::string_view FileName(std::string_view path);

// Returns "fiber:" and a fiber's name, or where it was started: "fiber:main.cpp:12".
std::string FiberText(std::string_view name, std::string_view file, std::uint32_t line);

// Returns the frame for a fiber. Its `file` is where it was started: "main.cpp:12".
Frame FiberFrame(std::string_view name, std::string_view file, std::uint32_t line);

// Returns the name of a frame in folded stacks and in perf's text.
std::string FrameText(const Frame& frame);

}  // namespace schedbench::profile
