#pragma once

#include "platform/machine/machine_info.hpp"
#include "report/document/table.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

// What a result says, for all formats. A kind of result has one function,
//
//   Document DocumentOf(const Result& result, const TerminalStyle& style);
//
// which is pure; `style` has the signs that texts may use. The functions below make a format of any document. Pure; thread-safe.

namespace schedbench::report {

enum class Emphasis { kNone, kStrong, kWeak };

// A line of text.
struct Sentence {
  std::string text;
  std::string remedy = "";  // the command that follows from it, in one line for copying
  Emphasis emphasis = Emphasis::kNone;
};

// A chart or a table with what belongs to it.
struct Section {
  std::string title = "";
  std::string about = "";              // one sentence for a page
  std::vector<Sentence> lead = {};     // before the table
  Table table = {};                    // none without columns
  std::vector<Sentence> details = {};  // after the table
  Json chart = nullptr;                // as in flamegraph/README.md; for a page
  std::string empty = "";              // A page shows it in place of a chart.
  Media media = kForPeople;
};

// What repeats a measurement.
struct Origin {
  platform::MachineInfo machine = {};
  std::vector<std::string> command = {};
  std::optional<std::uint64_t> seed = std::nullopt;  // none: the result depends on no seed
};

struct Document {
  std::string title;                                            // of a page
  std::vector<std::string> headline = {};                       // of a terminal
  std::vector<std::pair<std::string, std::string>> facts = {};  // of a page, before the origin
  std::vector<Note> endings = {};  // how the measurement ended and what disturbed it
  std::vector<Section> sections = {};
  std::vector<Note> notes = {};
  std::optional<Origin> origin = std::nullopt;
  Table rows = {};  // CSV and Markdown
};

// For people, at a terminal.
std::string TerminalText(const Document& document, const TerminalStyle& style);

// A page with charts. Requires: HasChartPage().
std::string PageText(const Document& document);

}  // namespace schedbench::report
