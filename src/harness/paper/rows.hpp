#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::harness {

// A row of the tables of document 000, or of the benchmark BM_SingleMutex that its program has beside them.
struct PaperRow {
  std::string name;        // as published: "BM_SlowThread<algo::GlobalFIFO>/4/1000/10/100"
  std::string scheduler;   // of the registry
  std::string workload;    // likewise
  std::string parameters;  // "tasks=1000,iterations=10"
  std::uint32_t workers;
  bool sleeps;                         // the workload has a parameter `mode`
  std::optional<double> published_ms;  // the column Time; none for BM_SingleMutex
};

// All rows, in the order of the document; BM_SingleMutex last.
std::vector<PaperRow> PaperRows();

}  // namespace schedbench::harness
