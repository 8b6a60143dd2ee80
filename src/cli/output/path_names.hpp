#pragma once

#include <string>
#include <vector>

namespace schedbench::cli {

// Returns a short name for each path that distinguishes it from the others: the file names if they
// differ, otherwise the folders in which the paths differ.
//   a/x.folded, b/y.folded                    x.folded, y.folded
//   out/old/x.folded, out/new/x.folded        old, new
//   x.folded, out/x.folded                    x.folded, out
std::vector<std::string> DistinctNames(const std::vector<std::string>& paths);

// Returns the title of a comparison of two files: "x.folded: old → new", "x.folded → y.folded".
std::string TitleOfPaths(const std::string& before, const std::string& after);

}  // namespace schedbench::cli
