#pragma once

#include "tests/sim/explorer/explorer.hpp"

#include <string>

namespace schedbench::sim {

// A finding on its way from one process to another: a line of numbers, then two lines of text.
std::string ToText(const Finding& finding);
Finding FindingFromText(const std::string& text);

}  // namespace schedbench::sim
