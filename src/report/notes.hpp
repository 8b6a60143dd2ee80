#pragma once

#include <string>
#include <vector>

#include "harness/result.hpp"

namespace schedbench::report {

// What a reader should know before trusting or using the figures.
struct Note {
  std::string text;
  std::string remedy;  // the command that mends or explains it
};

// Returns the notes that are due, the gravest first. Pure.
std::vector<Note> NotesOn(const harness::RunResult& result);

}  // namespace schedbench::report
