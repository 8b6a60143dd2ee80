#pragma once

#include "harness/result.hpp"

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

}  // namespace schedbench::report
