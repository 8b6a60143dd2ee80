#include "graph/graph_file.hpp"
#include "platform/files/input_file.hpp"

#include <fmt/core.h>

namespace schedbench::graph {

TaskGraph ReadGraph(const std::string& path) try {
  return Decode(platform::ReadInput(path, {.largest = kLargestFile}));
} catch (const platform::ReadError& error) {
  throw FormatError(fmt::format("{} {}", path, error.what()));
} catch (const FormatError& error) {
  throw FormatError(fmt::format("{}: {}", path, error.what()));
}

}  // namespace schedbench::graph
