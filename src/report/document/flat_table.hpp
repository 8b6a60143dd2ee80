#pragma once

#include "harness/summary.hpp"
#include "report/document/table.hpp"
#include "stats/ratio.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A result as one plain table, from which CSV and Markdown are made.

namespace schedbench::report {

using FlatCell = Cell;

struct FlatTable {
  std::vector<std::string> columns = {};
  std::vector<std::vector<FlatCell>> rows = {};  // a cell per column
};

// "" without a value.
std::string ExactNumber(const std::optional<double>& value);

// Adds a cell for the ratio, its low and its high end; empty ones without an estimate.
void AddRatio(const std::optional<stats::RatioEstimate>& ratio, std::vector<FlatCell>& row);

// Adds a cell for the median, the low and the high end; empty ones without a spread. `text_of`: a
// value for people.
void AddSpread(const std::optional<harness::Spread>& spread,
               const std::function<std::string(double)>& text_of, std::vector<FlatCell>& row);

std::string CsvText(const FlatTable& table);

std::string MarkdownText(const FlatTable& table);

}  // namespace schedbench::report
