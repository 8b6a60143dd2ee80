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

// A result for all formats. A kind of result has one pure function,
//   Document DocumentOf(const Result& result, const TerminalStyle& style);
// where `style` has the characters that texts may use. The functions below make a format of any
// document. Pure; thread-safe.

namespace schedbench::report {

enum class Emphasis { kNone, kStrong, kWeak };

// A line of text.
struct Sentence {
  std::string text;
  std::string remedy = "";  // command that follows from the text, in one line for copying
  Emphasis emphasis = Emphasis::kNone;
  std::size_t indent = 0;  // more than that of other sentences
};

// A chart or a table with its texts.
struct Section {
  std::string title = "";
  std::string about = "";              // one sentence for a page
  std::string text = "";               // text of a terminal, in its own layout
  std::vector<Sentence> lead = {};     // before the table
  Table table = {};                    // none without columns
  std::vector<Sentence> details = {};  // after the table
  Json chart = nullptr;                // see flamegraph/README.md; for a page
  std::string empty = "";              // a page shows it instead of a chart
  Media media = kForPeople;
  std::size_t most_rows = 1000;  // limit of a terminal; the other formats have all
};

// The facts that are needed to repeat a measurement.
struct Origin {
  platform::MachineInfo machine = {};
  std::vector<std::string> command = {};
  std::optional<std::uint64_t> seed = std::nullopt;  // none: the result does not depend on a seed
  Media media = kForPeople;
};

// A round, which Google Benchmark calls a repetition; its operations are iterations.
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
  std::string title;                                            // title of a page
  std::vector<std::string> headline = {};                       // headline of a terminal
  std::vector<std::pair<std::string, std::string>> facts = {};  // for a page, before the origin
  std::vector<std::string> conditions = {};  // for a terminal, below the headline
  std::vector<Note> endings = {};            // how the measurement ended and what disturbed it
  std::vector<Section> sections = {};
  std::vector<Note> notes = {};
  std::optional<Origin> origin = std::nullopt;
  Table rows = {};                         // CSV and Markdown
  std::function<std::string()> json = {};  // the text of the whole result
  std::vector<Repetitions> repetitions = {};
};

// The back-ends. `style`: the style of the destination; formats for programs ignore it.

// Returns text for people at a terminal.
std::string TerminalText(const Document& document, const TerminalStyle& style);
// Returns RFC 4180 with \n: a line of column names, then the exact values of the rows.
std::string CsvText(const Document& document, const TerminalStyle& style = {});
// Returns the rows as a table of GitHub's Markdown, with the values for people.
std::string MarkdownText(const Document& document, const TerminalStyle& style = {});
// Returns a page with charts. Requires: HasChartPage().
std::string PageText(const Document& document, const TerminalStyle& style = {});
// Returns JSON of Google Benchmark 1.7 for its tools/compare.py. Times are per operation.
std::string GbenchText(const Document& document, const TerminalStyle& style = {});

}  // namespace schedbench::report
