#pragma once

#include <cstddef>
#include <functional>
#include <string>

namespace schedbench::sim {

// Computes work(0) .. work(count - 1) in child processes, at most `jobs` at a time: each has a
// machine of its own, and one that dies takes no other along. Calls done(i, text) as results come,
// in any order; of a child that died died(i, how).
void RunInChildren(std::size_t count, unsigned jobs,
                   const std::function<std::string(std::size_t)>& work,
                   const std::function<void(std::size_t, const std::string&)>& done,
                   const std::function<void(std::size_t, const std::string&)>& died);

}  // namespace schedbench::sim
