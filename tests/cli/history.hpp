#pragma once

#include "tests/cli/process.hpp"

#include <string>
#include <utility>
#include <vector>

namespace schedbench::tests::history_test {

inline bool Has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// A run of history in the folder, with the history h.db there.
inline Finished History(const ScratchFolder& folder, std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), "history");
  if (arguments[1] != "bisect") {
    arguments.insert(arguments.end(), {"--db", "h.db"});
  }
  return Schedbench(std::move(arguments), {.folder = folder.Path()});
}

}  // namespace schedbench::tests::history_test
