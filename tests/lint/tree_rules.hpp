#pragma once

#include "tests/lint/rules.hpp"

#include <cstddef>
#include <string>
#include <vector>

// Rules and numbers of the source tree as a whole.
namespace schedbench::lint {

// Cycles of includes in product code that a folder is part of, at every level. A folder stands for
// all that is below it; a header and its source count as one. One finding per cycle, with an
// include for each of its steps.
Findings FindCycles(const std::vector<SourceFile>& files);

// Memory orders without an explanation; a note at the declaration of a variable explains the
// relaxed ones of all files of its folder. See memory_order_rule.cpp.
Findings FindUnexplainedOrders(const std::vector<SourceFile>& files);

// Declarations of flags of the command line, and the names that they have.
struct FlagNumbers {
  std::size_t declarations = 0;
  std::size_t names = 0;
};
FlagNumbers FlagsOf(const std::vector<SourceFile>& files);

// One place for each thing. Flags of the command line that are declared again; names of formats
// outside of their list; columns of compare that are declared again.
Findings FindRepeatedFlags(const std::vector<SourceFile>& files);
Findings FindFormatsOutsideTheirList(const std::vector<SourceFile>& files);
Findings FindRepeatedColumns(const std::vector<SourceFile>& files);

// What `make lint` prints, and CONTRIBUTING.md quotes.
struct TreeNumbers {
  std::size_t files = 0;  // C++ of the product
  std::size_t lines = 0;
  std::size_t median_lines = 0;
  std::size_t longest_lines = 0;
  std::string longest;  // its path
};

TreeNumbers NumbersOf(const std::vector<SourceFile>& files);

}  // namespace schedbench::lint
