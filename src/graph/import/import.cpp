#include "graph/import/import.hpp"

#include "graph/graph_file.hpp"
#include "graph/import/chrome_json.hpp"
#include "graph/import/go_trace.hpp"
#include "platform/files/input_file.hpp"

#include <fmt/core.h>

#include <cstddef>

namespace schedbench::graph {

namespace {

TaskGraph Read(std::string_view bytes) {
  if (IsGraphFile(bytes)) {
    return Decode(bytes);
  }
  if (IsGoTrace(bytes)) {
    return ReadGoTrace(bytes);
  }
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  if (first != std::string_view::npos && (bytes[first] == '{' || bytes[first] == '[')) {
    return ReadChromeJson(bytes);
  }
  throw FormatError(
      "this is none of: a task graph of schedbench record, an execution trace of Go, a trace in "
      "Chrome's JSON format");
}

}  // namespace

TaskGraph ReadAnyGraph(const std::string& path) try {
  return Read(platform::ReadInput(path, {.largest = kLargestFile}));
} catch (const platform::ReadError& error) {
  throw FormatError(fmt::format("{} {}", path, error.what()));
} catch (const FormatError& error) {
  throw FormatError(fmt::format("{}: {}", path, error.what()));
}

}  // namespace schedbench::graph
