#include "config/input_error.hpp"

#include "base/assert.hpp"
#include "config/quote.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>

namespace schedbench::config {

namespace {

// A longer location or path pushes its own line out instead of widening the column for all.
constexpr std::size_t kWidestColumn = 60;

template <typename Part>
std::size_t Width(const std::vector<Problem>& problems, Part part) {
  std::size_t width = 0;
  for (const Problem& problem : problems) {
    const std::size_t count = CharacterCount(problem.*part);
    width = count <= kWidestColumn ? std::max(width, count) : width;
  }
  return width;
}

void AppendPadded(std::string& line, std::string_view text, std::size_t width) {
  line += text;
  const std::size_t count = CharacterCount(text);
  line.append(count < width ? width - count : 0, ' ');
}

// Returns "where path   message", without the columns that no problem fills.
std::string Render(const std::vector<Problem>& problems) {
  const std::size_t where_width = Width(problems, &Problem::where);
  const std::size_t path_width = Width(problems, &Problem::path);
  std::string text;
  for (const Problem& problem : problems) {
    if (!text.empty()) {
      text += '\n';
    }
    if (problem.where.empty() && problem.path.empty()) {
      text += problem.message;
      continue;
    }
    std::string line;
    AppendPadded(line, problem.where, where_width);
    if (path_width > 0 || !problem.path.empty()) {
      line += line.empty() ? "" : " ";
      AppendPadded(line, problem.path, path_width);
    }
    text += line + "   " + problem.message;
  }
  return text;
}

}  // namespace

InputError::InputError(std::vector<Problem> problems, bool may_be_cut)
    : std::runtime_error(Render(problems)),
      problems_(std::move(problems)),
      may_be_cut_(may_be_cut) {
  SB_ASSERT(!problems_.empty(), "an input error without a problem");
}

InputError::InputError(std::string message)
    : InputError(std::vector<Problem>{{"", "", std::move(message)}}) {
}

}  // namespace schedbench::config
