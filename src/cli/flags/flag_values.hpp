#pragma once

#include "cli/command.hpp"
#include "config/problems.hpp"

#include <chrono>
#include <cstdint>
#include <optional>

// Values of flags. Each returns a fallback where the flag is not given, and also, with a problem, where its value is wrong.

namespace schedbench::cli {

// None: not given, or wrong.
std::optional<std::uint64_t> Number(const Arguments& arguments, const Flag& flag, std::uint64_t min,
                                    std::uint64_t max, config::Problems& problems);

// A number of rounds, or of blocks of them, of which a million is the most.
std::uint32_t Rounds(const Arguments& arguments, const Flag& flag, std::uint32_t least,
                     std::uint32_t fallback, config::Problems& problems);

// Of all random choices: the flag's, or drawn.
std::uint64_t Seed(const Arguments& arguments, const Flag& flag, config::Problems& problems);

// The time that the flag gives, 60 s where it is not given; 0: never.
std::chrono::nanoseconds TimeLimit(const Arguments& arguments, const Flag& flag,
                                   config::Problems& problems);

// A share above 0 and at most 1: "2%" and "0.02" are the same.
double Share(const Arguments& arguments, const Flag& flag, double fallback,
             config::Problems& problems);

}  // namespace schedbench::cli
