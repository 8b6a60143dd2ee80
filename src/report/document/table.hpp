#pragma once

#include "base/enum_text.hpp"
#include "base/vector_of.hpp"
#include "report/parts/quantity.hpp"
#include "report/parts/terminal_style.hpp"
#include "stats/ratio.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <ranges>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

// Tables of a document. A column is declared once: its name, its unit, where it is shown, and its
// value in a row. Pure; thread-safe.

namespace schedbench::report {

enum class Align { kLeft, kRight };
using enum Align;

// A value of a table: exact for programs, and for people with a unit.
struct Cell {
  std::string exact;
  std::string shown;

  Cell() = default;
  Cell(std::string_view text)  // NOLINT(google-explicit-constructor): a text has one form
      : exact(text),
        shown(text) {
  }
  Cell(const std::string& text)  // NOLINT(google-explicit-constructor)
      : Cell(std::string_view(text)) {
  }
  Cell(const char* text)  // NOLINT(google-explicit-constructor)
      : Cell(std::string_view(text)) {
  }
  // Takes a whole number, or an enumerator with a name.
  template <typename Value>
    requires(std::is_integral_v<Value> && !std::is_same_v<Value, bool>)
  Cell(Value number)  // NOLINT(google-explicit-constructor)
      : Cell(std::to_string(number)) {
  }
  template <typename Value>
    requires std::is_enum_v<Value>
  Cell(Value named)  // NOLINT(google-explicit-constructor)
      : Cell(ToText(named)) {
  }
  Cell(std::string_view exact_text, std::string_view shown_text)
      : exact(exact_text),
        shown(shown_text) {
  }
};

// Returns "0.1", "12345678.9": the shortest text of this double; "" for infinity and NaN.
std::string ExactNumber(double value);

// Return an empty cell without a value.
Cell NumberCell(const std::optional<double>& value,
                const std::function<std::string(double)>& text_of);
Cell RatioCell(const std::optional<double>& ratio);  // three digits for people
Cell TimeCell(const std::optional<double>& ns, const TerminalStyle& style);
Cell ShareCell(const std::optional<double>& share);
Cell CountCell(std::uint64_t count);
Cell FlagCell(bool flag);  // "yes" or "no"

// A set of destinations of a column or a section.
using Media = unsigned;
inline constexpr Media kInTerminal = 1;
inline constexpr Media kInPage = 2;
inline constexpr Media kInRows = 4;  // CSV and Markdown
inline constexpr Media kForPeople = kInTerminal | kInPage;
inline constexpr Media kEverywhere = kForPeople | kInRows;

struct ColumnHead {
  std::string name;
  Align align = kLeft;
  Media media = kEverywhere;
  int loss = 0;              // A narrow terminal drops the largest loss first; 0: never.
  std::string unit = "";     // unit of the exact values, which CSV adds to the name
  bool opens_group = false;  // a terminal draws a bar before the column
  bool below = false;        // a terminal shows the value below the row, for copying
};

struct Table {
  std::vector<ColumnHead> columns = {};
  std::vector<std::vector<Cell>> rows = {};  // a cell for each column

  // Returns the columns that one of these media shows.
  Table For(Media media) const;
};

// Returns the lines of a terminal, indented by two, without final spaces. The head is first and
// dimmed. Columns are as wide as their widest cell. A table that is wider than the terminal drops
// its least important columns, and then breaks the text of its last column into lines, below the
// other columns if there is no room next to them. `most_rows`: the number of other rows is shown.
std::string TableText(const Table& table, const TerminalStyle& style,
                      std::size_t most_rows = TerminalStyle::kUnlimited);

// Returns the text with spaces before or after it, to `width` characters.
std::string Padded(std::string_view text, std::size_t width, Align align = kLeft);

// The columns of a table whose rows are values of one type.
template <typename Row>
class TableOf {
 public:
  TableOf& Add(ColumnHead head, std::function<Cell(const Row&)> cell) {
    table_.columns.push_back(std::move(head));
    cells_.push_back(std::move(cell));
    return *this;
  }

  // Adds a ratio: one column with its interval for people, three columns for programs.
  TableOf& AddRatio(ColumnHead head,
                    std::function<std::optional<stats::RatioEstimate>(const Row&)> ratio) {
    const std::string name = head.name;
    head.media &= kForPeople;
    Add(std::move(head),
        [ratio](const Row& row) { return Mapped(ratio(row), &EstimateText).value_or(""); });
    AddPart(name, &stats::RatioEstimate::ratio, ratio);
    AddPart(name + " low", &stats::RatioEstimate::low, ratio);
    return AddPart(name + " high", &stats::RatioEstimate::high, ratio);
  }

  // Returns a row for each element.
  template <std::ranges::range Range>
  Table Rows(const Range& range) && {
    for (const Row& row : range) {
      std::vector<Cell>& cells = table_.rows.emplace_back();
      for (const auto& cell : cells_) {
        cells.push_back(cell(row));
      }
    }
    return std::move(table_);
  }

 private:
  TableOf& AddPart(std::string name, double stats::RatioEstimate::* part,
                   std::function<std::optional<stats::RatioEstimate>(const Row&)> ratio) {
    return Add({.name = std::move(name), .align = kRight, .media = kInRows},
               [part, ratio = std::move(ratio)](const Row& row) {
                 return RatioCell(Mapped(ratio(row), part));
               });
  }

  Table table_;
  std::vector<std::function<Cell(const Row&)>> cells_;
};

}  // namespace schedbench::report
