#pragma once

#include <string>
#include <vector>

namespace schedbench::platform {

// Something that this process lacks, often because it runs in a container, and that its results
// depend on.
struct Restriction {
  std::string topic;   // "membarrier"
  std::string text;    // what is missing, and what follows from that for the results
  std::string remedy;  // the command or the option that grants it
};

// Tries each system call and reads each limit. Thread-safe.
std::vector<Restriction> FindRestrictions();

}  // namespace schedbench::platform
