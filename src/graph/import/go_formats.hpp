#pragma once

#include "graph/task_graph.hpp"

#include <cstddef>
#include <string_view>

namespace schedbench::graph {

inline constexpr std::size_t kGoHeaderBytes = 16;   // "go 1.NN trace" and three zeros
inline constexpr std::size_t kGoVersionBytes = 13;  // without the zeros
inline constexpr std::string_view kGoTraceSubject = "the Go trace is damaged";  // for ByteReader

// Reads the format of Go 1.11 to 1.21: events by P, with relative times. Throws FormatError.
TaskGraph ReadGoTrace111(std::string_view bytes);

// Reads the format since Go 1.22: generations of batches by thread. Throws FormatError.
TaskGraph ReadGoTrace122(std::string_view bytes);

}  // namespace schedbench::graph
