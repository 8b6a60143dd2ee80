#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

// What other tools make of our files: their rules, written anew. What they do with what we never
// write is left out.

namespace schedbench::profile {

// As stackcollapse-perf.pl of 2024 does, and inferno, whose rules are the same for what we write:
// weights by period. Adds what it would warn of to `warnings`.
std::map<std::string, std::uint64_t> CollapseAsPerl(std::string_view text,
                                                    std::vector<std::string>& warnings);

struct ReadSample {
  double seconds = 0;
  std::vector<std::string> stack;  // root first
};

// As speedscope reads perf's text: samples by "COMMAND pid: P tid: T". Throws std::runtime_error
// where the samples of one are out of order.
std::map<std::string, std::vector<ReadSample>> ReadAsSpeedscope(std::string_view text);

// Whether the Firefox Profiler knows that a file is perf's text.
bool FirefoxKnows(std::string_view text);

// As the Firefox Profiler reads it: samples by thread, frames with "(in MODULE)".
std::map<int, std::vector<ReadSample>> ReadAsFirefox(std::string_view text);

}  // namespace schedbench::profile
