#pragma once

#include "harness/summary.hpp"
#include "stats/ratio.hpp"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// A result as one plain table, from which CSV and Markdown are made.

namespace schedbench::report {

// A cell has two forms: exact for programs, and for people with a unit.
struct FlatCell {
  std::string exact;
  std::string shown;

  FlatCell(std::string_view text)  // NOLINT(google-explicit-constructor): a text has one form
      : exact(text),
        shown(text) {
  }
  FlatCell(const std::string& text)  // NOLINT(google-explicit-constructor)
      : FlatCell(std::string_view(text)) {
  }
  FlatCell(const char* text)  // NOLINT(google-explicit-constructor)
      : FlatCell(std::string_view(text)) {
  }
  FlatCell(std::string exact_text, std::string shown_text)
      : exact(std::move(exact_text)),
        shown(std::move(shown_text)) {
  }
};

struct FlatTable {
  std::vector<std::string> columns = {};
  std::vector<std::vector<FlatCell>> rows = {};  // a cell per column
};

// "0.1", "12345678.9": the shortest text from which the same double is read.
std::string ExactNumber(double value);
// The same; "" without a value.
std::string ExactNumber(const std::optional<double>& value);

// Returns a cell with the exact ratio, and three digits for people; an empty cell without a value.
FlatCell RatioCell(const std::optional<double>& ratio);

// Adds a cell for the ratio, its low and its high end; empty ones without an estimate.
void AddRatio(const std::optional<stats::RatioEstimate>& ratio, std::vector<FlatCell>& row);

// Adds a cell for the median, the low and the high end; empty ones without a spread. `text_of`: a
// value for people.
void AddSpread(const std::optional<harness::Spread>& spread,
               const std::function<std::string(double)>& text_of, std::vector<FlatCell>& row);

// RFC 4180 with \n: a line of column names, then the exact cells.
std::string CsvText(const FlatTable& table);

// A table of GitHub's Markdown with the cells for people.
std::string MarkdownText(const FlatTable& table);

}  // namespace schedbench::report
