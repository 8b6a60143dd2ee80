#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace schedbench::lint {

// A file taken apart line by line. The three lists have the same length; line n of the file is
// element n - 1.
struct SourceFile {
  std::string path;                // from the root of the repository, with '/'
  std::vector<std::string> lines;  // as they are
  std::vector<std::string> code;   // C++ without comments; literals keep only their quotes
  std::vector<std::string>
      comments;  // the words of the comments that touch the line, without // and /*
};

// Takes the text apart. Knows C++: raw strings, digit separators, continued lines of a block
// comment.
SourceFile Parse(std::string_view path, std::string_view text);

// Returns true iff `word` occurs in the text and is no part of a longer identifier.
bool HasWord(std::string_view text, std::string_view word);

// Returns true iff an identifier in the text starts with `prefix`.
bool HasWordThatStarts(std::string_view text, std::string_view prefix);

// Returns true for C++ of the tool itself: src/, schedulers/ and workloads/.
bool IsProductCode(std::string_view path);

bool IsBlank(std::string_view text);

std::string_view TrimLeft(std::string_view text);

}  // namespace schedbench::lint
