// What a program reads as a task graph: by the first byte a file of ours (its checksum is made
// right), a trace of Go, or a trace in Chrome's JSON format. Whatever is accepted can be replayed.

#include "graph/analysis.hpp"
#include "graph/check.hpp"
#include "graph/graph_file.hpp"
#include "graph/import/chrome_json.hpp"
#include "graph/import/go_trace.hpp"
#include "tests/fuzz/oracle.hpp"
#include "workloads/parts/replay_program.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

using namespace schedbench;

namespace {

// With the checksum of the format (src/graph/README.md): almost no input would have it.
std::string WithChecksum(std::string_view content) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : content) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  std::string bytes(content);
  for (unsigned i = 0; i < 8; ++i, hash >>= 8U) {
    bytes.push_back(static_cast<char>(hash & 0xFFU));
  }
  return bytes;
}

graph::TaskGraph Read(char kind, std::string_view text) {
  switch (kind) {
    case 'g':
      return graph::ReadGoTrace(text);
    case 'c':
      return graph::ReadChromeJson(text);
    default:
      return graph::Decode(WithChecksum(text));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const graph::TaskGraph graph = Read(text.front(), text.substr(1));
    fuzz::Check(graph::Check(graph).empty(), "a graph that is accepted can be replayed");
    const graph::Analysis analysis = graph::Analyse(graph);
    fuzz::Check(analysis.fibers + analysis.plain_tasks + 1 == graph.tasks.size(),
                "each task is a fiber or plain");
    for (const bool is_open : {false, true}) {
      workloads::ReplayProgram program(graph, 100, is_open);
      fuzz::Check(program.TaskCount() == graph.tasks.size(), "a replay has each task");
      program.Reset();
    }
    fuzz::Check(graph::Decode(graph::Encode(graph)) == graph, "a graph is read as it was written");
  } catch (const graph::FormatError& error) {
    fuzz::Check(*error.what() != '\0', "a refusal has a message");
  }
  return 0;
}
