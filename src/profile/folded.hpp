#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

// Folded stacks, as flamegraph.pl, inferno, speedscope and the Firefox Profiler read them: "root;...;leaf COUNT".
// Pure; thread-safe.

namespace schedbench::profile {

// What stands outside the calls of each stack, from the outermost inwards. What a worker did without a fiber is always shown.
struct Roots {
  bool worker = false;
  bool fiber = true;
  bool created = false;  // where a fiber was started, if that is not what it is called by
};

// The weight of each stack, root first, names separated by ';'.
using FoldedStacks = std::map<std::string, std::uint64_t>;

// The weights are nanoseconds. A sample of a fiber without any calls has the fiber in any case.
FoldedStacks Fold(const StackProfile& profile, const Roots& roots);

// The owner of a sample as `roots` want it, from the outermost inwards, without the worker.
std::vector<std::string> OwnerTexts(const StackProfile& profile, const Sample& sample,
                                    const Roots& roots);

// Returns "worker 3": what stands for it in a stack.
std::string WorkerText(const ProfiledWorker& worker);

// Each weight divided by `unit` and rounded: 1000 makes microseconds of nanoseconds. What is less than half of one is left
// out, as the format has whole numbers only.
std::string FoldedText(const FoldedStacks& stacks, std::uint64_t unit);

// Returns "weight / scale" as a decimal number, exactly. Requires: `scale` is a power of ten.
std::string WeightText(std::uint64_t weight, std::uint64_t scale);

}  // namespace schedbench::profile
