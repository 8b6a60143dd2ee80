#pragma once

#include <string>
#include <vector>

namespace schedbench::platform {

// Something that this process lacks, often in a container, and that affects its results.
struct Restriction {
  std::string topic;   // "membarrier"
  std::string text;    // the missing thing, and its effect on the results
  std::string remedy;  // the command or the option that grants it
};

// Tries each system call and reads each limit. Thread-safe.
std::vector<Restriction> FindRestrictions();

}  // namespace schedbench::platform
