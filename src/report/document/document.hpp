#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/document/table.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// A result for all formats. A kind of result has one function,
//
//   Document DocumentOf(const Result& result, const TerminalStyle& style);
//
// which is pure; `style` has the signs that texts may use. The functions below make a format of any
// document. Pure; thread-safe.

namespace schedbench::report {

enum class Emphasis { kNone, kStrong, kWeak };

// A line of text.
struct Sentence {
  std::string text;
  std::string remedy = "";  // the command that follows from it, in one line for copying
  Emphasis emphasis = Emphasis::kNone;
  std::size_t indent = 0;  // more than that of other sentences
};

// A chart or a table with what belongs to it.
struct Section {
  std::string title = "";
  std::string about = "";              // one sentence for a page
  std::string text = "";               // of a terminal, in its own layout
  std::vector<Sentence> lead = {};     // before the table
  Table table = {};                    // none without columns
  std::vector<Sentence> details = {};  // after the table
  Json chart = nullptr;                // as in flamegraph/README.md; for a page
  std::string empty = "";              // A page shows it in place of a chart.
  Media media = kForPeople;
  std::size_t most_rows = 1000;  // A terminal shows so many; the other formats have all.
};

// What repeats a measurement.
struct Origin {
  platform::MachineInfo machine = {};
  std::vector<std::string> command = {};
  std::optional<std::uint64_t> seed = std::nullopt;  // none: the result depends on no seed
  Media media = kForPeople;
};

// A round, in the terms of Google Benchmark a repetition; each of its operations is an iteration.
struct Repetition {
  // Takes a round of this process or of an agent.
  template <typename Round>
  explicit Repetition(const Round& round)
      : wall_ns(static_cast<double>(round.wall_ns)),
        cpu_ns(static_cast<double>(round.cpu_ns)),
        operations(round.operations) {
  }

  double wall_ns;
  double cpu_ns;
  std::uint64_t operations;
};

struct Repetitions {
  std::string name;  // "pingpong/fast"
  std::uint64_t threads = 1;
  std::vector<Repetition> rounds = {};
};

struct Document {
  std::string title;                                            // of a page
  std::vector<std::string> headline = {};                       // of a terminal
  std::vector<std::pair<std::string, std::string>> facts = {};  // of a page, before the origin
  std::vector<std::string> conditions = {};                     // of a terminal, below the headline
  std::vector<Note> endings = {};  // how the measurement ended and what disturbed it
  std::vector<Section> sections = {};
  std::vector<Note> notes = {};
  std::optional<Origin> origin = std::nullopt;
  Table rows = {};                         // CSV and Markdown
  std::function<std::string()> json = {};  // the text of the whole result
  std::vector<Repetitions> repetitions = {};
};

// The back-ends. `style`: of the destination; those that no person reads ignore it.

// For people, at a terminal.
std::string TerminalText(const Document& document, const TerminalStyle& style);
// RFC 4180 with \n: a line of column names, then the exact values of the rows.
std::string CsvText(const Document& document, const TerminalStyle& style = {});
// The rows as a table of GitHub's Markdown, with the values for people.
std::string MarkdownText(const Document& document, const TerminalStyle& style = {});
// A page with charts. Requires: HasChartPage().
std::string PageText(const Document& document, const TerminalStyle& style = {});
// The JSON of Google Benchmark 1.7, which its tools/compare.py reads. Times are of an operation.
std::string GbenchText(const Document& document, const TerminalStyle& style = {});

}  // namespace schedbench::report
