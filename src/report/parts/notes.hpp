#pragma once

#include "harness/experiment/data.hpp"
#include "harness/result.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::report {

// A warning about the metrics.
struct Note {
  std::string text;
  std::string remedy = "";                       // command, or flags to add, that fix or explain it
  std::string label = std::string(kPlainLabel);  // topic: "partial", "noise"

  static constexpr std::string_view kPlainLabel = "note";
};

// Returns the notes on a result, the most serious first. Pure.
std::vector<Note> NotesOn(const harness::RunResult& result);

// Returns a note on each thing that the process lacks on the machine. Pure.
std::vector<Note> NotesOn(const platform::MachineInfo& machine);

// Returns notes on the machine and on a used-up CPU quota, for reports without other notes.
std::vector<Note> NotesOnSurroundings(const harness::RunResult& result);

// Adds a note if settings in effect differ from the requested ones. Both are JSON objects;
// `in_effect`: "" if it is unknown. `of`: the owner of the settings, "" for the only ones.
void NoteOnSettings(std::string_view of, const std::string& requested, const std::string& in_effect,
                    std::vector<Note>& notes);

// Adds notes on a build that is not meant for measurement.
void NoteOnBuild(std::vector<Note>& notes);

// Adds a note if a scheduler or a workload of a user's program was compiled without optimization.
// `kind`: "scheduler" or "workload".
void NoteOnOptimization(std::string_view kind, std::string_view name, bool is_optimized,
                        std::vector<Note>& notes);

// Adds a note on what disturbed the measurement on purpose; none for "".
void NoteOnPerturbation(const std::string& perturbed, std::vector<Note>& notes);

// Returns "1 block measured again, 2 blocks counted although disturbed". Requires: one is > 0.
std::string DisturbedText(std::size_t repeated, std::size_t counted);

// Returns how a measurement of blocks ended before its last block, and what disturbed it.
std::vector<Note> EndingsOf(bool complete, bool out_of_budget, const harness::BlockCounts& counts);

// Returns a line for each note, or two for a long one.
std::string NoteLines(const std::vector<Note>& notes, const TerminalStyle& style);

}  // namespace schedbench::report
