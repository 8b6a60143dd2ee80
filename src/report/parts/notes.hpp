#pragma once

#include "harness/result.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

namespace schedbench::report {

// What a reader should know before trusting or using the figures.
struct Note {
  std::string text;
  std::string remedy;  // the command, or the flags to add, that mend or explain it
};

// Returns the notes that are due, the gravest first. Pure.
std::vector<Note> NotesOn(const harness::RunResult& result);

// Adds what is to be said of a build that is not the one to measure with.
void NoteOnBuild(std::vector<Note>& notes);

// Returns a line for each, or two where one is not enough.
std::string NoteLines(const std::vector<Note>& notes, const TerminalStyle& look);

}  // namespace schedbench::report
