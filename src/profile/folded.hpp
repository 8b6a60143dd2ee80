#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Folded stacks for flamegraph.pl, inferno, speedscope and the Firefox Profiler: "root;...;leaf
// COUNT". Pure; thread-safe.

namespace schedbench::profile {

// The owners before each stack's calls, outermost first. A worker's own activity always shows.
struct Roots {
  bool worker = false;
  bool fiber = true;
  bool created = false;  // where a fiber was started, unless its name says it
};

// The weight of each stack, root first, names separated by ';'.
using FoldedStacks = std::map<std::string, std::uint64_t>;

// Folds a profile, in nanoseconds. A sample of a fiber without calls always has the fiber.
FoldedStacks Fold(const StackProfile& profile, const Roots& roots);

// Returns the owner of a sample as `roots` require, from the outermost inwards, without the worker.
std::vector<std::string> OwnerTexts(const StackProfile& profile, const Sample& sample,
                                    const Roots& roots);

// Returns "worker 3", which represents it in a stack.
std::string WorkerText(const ProfiledWorker& worker);

// Returns stacks with each weight divided by `unit` and rounded: 1000 makes microseconds of
// nanoseconds. Weights below one half are dropped, because the format only has whole numbers.
std::string FoldedText(const FoldedStacks& stacks, std::uint64_t unit);

// Returns "weight / scale" as an exact decimal number. Requires: `scale` is a power of ten.
std::string WeightText(std::uint64_t weight, std::uint64_t scale);

}  // namespace schedbench::profile
