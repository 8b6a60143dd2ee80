#pragma once

#include "tests/lint/source_file.hpp"

#include <ostream>
#include <string>
#include <vector>

// The house rules that a machine can check. Each rule looks at one file and knows by its path
// whether the file is its business; each returns one finding per line that breaks it.
namespace schedbench::lint {

struct Finding {
  std::string path;
  std::size_t line;  // from 1
  std::string message;

  bool operator==(const Finding&) const = default;
};

std::ostream& operator<<(std::ostream& out, const Finding& finding);

using Findings = std::vector<Finding>;
using Rule = Findings (*)(const SourceFile& file);

// An #include goes to the own layer or a lower one, is written from the root of src/ or of the
// repository, and never joins schedulers with workloads or two schedulers (schedulers/queues/
// serves all of them).
Findings CheckLayers(const SourceFile& file);

// The operating system's headers are included by src/platform alone. Tests are free.
Findings CheckSystemHeaders(const SourceFile& file);

// Every explicit memory order is explained: see memory_order_rule.cpp for the grammar.
Findings CheckMemoryOrders(const SourceFile& file);

// std::atomic, std::mutex, std::condition_variable, std::thread and their kin are used by src/base
// and src/platform alone: the rest uses the project's own, which can be simulated. Tests are free.
Findings CheckThreadPrimitives(const SourceFile& file);

// A file that asks for a sanitizer includes the header that defines its macro. Without it, the
// answer is always no.
Findings CheckSanitizerMacros(const SourceFile& file);

// std::stable_sort and its kin use what C++20 deprecates, which clang refuses.
Findings CheckDeprecatedAlgorithms(const SourceFile& file);

// A source file has at most 600 lines.
Findings CheckLength(const SourceFile& file);

// A line of prose in a document has at most 120 characters, so that it can be read in a terminal.
// Tables, code blocks and headings are free.
Findings CheckProseWidth(const SourceFile& file);

// A line of product code has at most 100 characters, unless it is the text of a raw string.
Findings CheckCodeWidth(const SourceFile& file);

// Nothing names the machine or the network that it was written on.
Findings CheckMachineNames(const SourceFile& file);

// A test that sleeps says why in a comment above, which begins with "What is tested:".
Findings CheckSleeps(const SourceFile& file);

// Every public function of a public header has a comment: see documentation_rule.cpp.
Findings CheckDocumentation(const SourceFile& file);

// No word that DESIGN's style avoids, also as a part of an identifier or of the file's name: see
// word_rule.cpp.
Findings CheckWords(const SourceFile& file);

// Comments of the product are sentences in plain words: see comment_rule.cpp.
Findings CheckComments(const SourceFile& file);

// No marks of unfinished work, and no test that is switched off.
Findings CheckUnfinished(const SourceFile& file);

}  // namespace schedbench::lint
