#pragma once

#include "graph/task_graph.hpp"

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>

// The file of a task graph; README.md has its layout.

namespace schedbench::graph {

// The bytes are not a task graph, or this program cannot replay it.
class FormatError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Rises when a program that knows only the former version would misread a file.
inline constexpr std::uint64_t kFileVersion = 1;

// The size of a graph of some 50 million steps. Arbitrary: its replay would take gigabytes.
inline constexpr std::size_t kLargestFile = std::size_t{512} << 20U;

// Returns whether the bytes begin like the file of a task graph.
bool IsGraphFile(std::string_view bytes);

// Returns the bytes of a file. Requires: Check(graph) is "".
std::string Encode(const TaskGraph& graph);

// Reads the bytes of a file; Check() has found nothing in the result. Memory use is proportional to
// the bytes, whatever numbers they contain. Throws FormatError.
TaskGraph Decode(std::string_view bytes);

// Reads a file; "-" is stdin. Throws FormatError, whose text begins with the name.
TaskGraph ReadGraph(const std::string& path);

}  // namespace schedbench::graph
