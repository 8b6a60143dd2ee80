#pragma once

#include "config/json_document.hpp"
#include "config/problems.hpp"
#include "config/settings.hpp"

#include <cstdint>
#include <string>
#include <string_view>

// What the fuzz targets hold against the code. Each ends the program when the claim is false, which
// is how libFuzzer learns of it.
namespace schedbench::fuzz {

void Check(bool claim, std::string_view what);

// Every field is inside its limits.
void CheckInsideLimits(const config::Settings& settings);

// Printed as JSON and read again they are the same.
void CheckSurvivesRoundTrip(const config::Settings& settings);

// There is something wrong, and of each thing is said what; in a file called `name`, also where.
void CheckNamesWhatIsWrong(const config::Problems& problems, std::string_view name);

// Writes a document as JSON text, numbers as they were written.
std::string ToJson(const config::JsonNode& node);

// Same values in the same order; places do not matter.
bool SameValues(const config::JsonNode& a, const config::JsonNode& b);

}  // namespace schedbench::fuzz
