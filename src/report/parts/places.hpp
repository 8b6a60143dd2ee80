#pragma once

#include "harness/agent/place.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

// The machines of a result that was measured on others than this one. Pure; thread-safe.

namespace schedbench::report {

// Returns a note for all places with the same facts, one for each finding that has failed, and one
// for each place that was lost; none without places. `lost`: of each, why it was lost, or "".
std::vector<Note> NotesOnPlaces(const std::vector<harness::PlacePtr>& places,
                                const std::vector<std::string>& lost = {});

// Adds a note if two names are of one machine: agents that measure there at the same time disturb each other.
void NoteOnSameMachine(const std::vector<harness::PlacePtr>& places, std::vector<Note>& notes);

// A place, and why it was lost, or "".
struct ShownPlace {
  harness::PlacePtr place;
  std::string lost;
};
record::Of<ShownPlace> RecordOf(const ShownPlace* /*type*/);

// `lost`: of each, why it was lost, or "".
std::vector<ShownPlace> ShownPlaces(const std::vector<harness::PlacePtr>& places,
                                    const std::vector<std::string>& lost = {});

}  // namespace schedbench::report
