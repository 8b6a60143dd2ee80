#pragma once

#include "harness/agent/place.hpp"
#include "report/parts/json_parts.hpp"
#include "report/parts/notes.hpp"
#include "report/parts/terminal_style.hpp"

#include <string>
#include <vector>

// The machines of a result that was not only measured on this machine. Pure; thread-safe.

namespace schedbench::report {

// Returns a note for all machines with equal facts, one for each failed finding, and one for each
// lost machine; none without machines. `lost`: why each was lost, or "".
std::vector<Note> NotesOnPlaces(const std::vector<harness::PlacePtr>& places,
                                const std::vector<std::string>& lost = {});

// Adds a note if two names stand for one machine, whose agents would disturb each other.
void NoteOnSameMachine(const std::vector<harness::PlacePtr>& places, std::vector<Note>& notes);

// A machine, and why it was lost, or "".
struct ShownPlace {
  harness::PlacePtr place;
  std::string lost;
};
record::Of<ShownPlace> RecordOf(const ShownPlace* /*type*/);

// `lost`: why each machine was lost, or "".
std::vector<ShownPlace> ShownPlaces(const std::vector<harness::PlacePtr>& places,
                                    const std::vector<std::string>& lost = {});

}  // namespace schedbench::report
