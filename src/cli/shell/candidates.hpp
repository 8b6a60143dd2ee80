#pragma once

#include <string>
#include <vector>

namespace schedbench::cli {

// A word that a shell may complete to.
struct Candidate {
  std::string text;  // the whole word; ends with '=', ':' or ',' where more follows
  std::string doc;   // one line, or ""
};

// What the shell itself completes.
enum class PathKind { kNone, kFile, kFolder };

struct Completion {
  std::vector<Candidate> candidates;
  PathKind paths = PathKind::kNone;
};

// Returns what the last of `words`, which may be empty, may be completed to. `words`: of a command line, without the name of
// the program.
Completion CompletionOf(const std::vector<std::string>& words);

}  // namespace schedbench::cli
