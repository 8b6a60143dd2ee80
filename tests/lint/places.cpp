// One place for each thing: what a new flag, format or column would repeat is found in the sources.
#include "tests/lint/tree_rules.hpp"

#include <algorithm>
#include <map>
#include <regex>
#include <set>

namespace schedbench::lint {

namespace {

constexpr const char* kFlagPattern = R"re(Flag(?:<[^>]*>)?\s*\{\s*"(--[a-z-]+)")re";

// All lines of a file without its comments, so that a declaration may span lines.
std::string CodeOf(const SourceFile& file) {
  std::string text;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    text += IsBlank(file.code[i]) ? "\n" : file.lines[i] + "\n";
  }
  return text;
}

std::size_t LineAt(const std::string& text, std::ptrdiff_t offset) {
  return static_cast<std::size_t>(std::count(text.begin(), text.begin() + offset, '\n')) + 1;
}

// Calls `found` with the first group of each match in the product files below a folder.
template <typename F>
void ForEachMatch(const std::vector<SourceFile>& files, std::string_view folder,
                  const char* pattern, F found) {
  const std::regex regex(pattern);
  for (const SourceFile& file : files) {
    if (!IsProductCode(file.path) || !file.path.starts_with(folder)) {
      continue;
    }
    const std::string text = CodeOf(file);
    for (std::sregex_iterator match(text.begin(), text.end(), regex), end; match != end; ++match) {
      found(file.path, LineAt(text, match->position()), (*match)[1].str());
    }
  }
}

}  // namespace

FlagNumbers FlagsOf(const std::vector<SourceFile>& files) {
  FlagNumbers numbers;
  std::set<std::string> names;
  ForEachMatch(files, "src/cli/", kFlagPattern,
               [&](const std::string&, std::size_t, const std::string& name) {
                 ++numbers.declarations;
                 names.insert(name);
               });
  numbers.names = names.size();
  return numbers;
}

Findings FindRepeatedFlags(const std::vector<SourceFile>& files) {
  // The name means another thing in the other command.
  const std::set<std::string> kHomonyms{"--for", "--from", "--require", "--root"};
  std::map<std::string, std::string> places;
  Findings findings;
  ForEachMatch(files, "src/cli/", kFlagPattern,
               [&](const std::string& path, std::size_t line, const std::string& name) {
                 const auto [first, is_new] = places.emplace(name, path);
                 if (!is_new && !kHomonyms.contains(name)) {
                   findings.push_back({path, line,
                                       "the flag " + name + " is declared in " + first->second +
                                           " as well: use that declaration"});
                 }
               });
  return findings;
}

Findings FindFormatsOutsideTheirList(const std::vector<SourceFile>& files) {
  Findings findings;
  ForEachMatch(files, "src/", R"re("(gbench-json|markdown)")re",
               [&](const std::string& path, std::size_t line, const std::string& name) {
                 if (path != "src/report/format.hpp") {
                   findings.push_back(
                       {path, line, "names the format " + name + ": formats are in kFormats"});
                 }
               });
  return findings;
}

Findings FindRepeatedColumns(const std::vector<SourceFile>& files) {
  Findings findings;
  std::map<std::string, std::string> places;
  // The names with a blank: those in JSON have none.
  ForEachMatch(files, "src/report/comparison/", R"re("((?:ratio|difference) (?:low|high))")re",
               [&](const std::string& path, std::size_t line, const std::string& name) {
                 const auto [first, is_new] = places.emplace(name, path);
                 if (!is_new) {
                   findings.push_back({path, line,
                                       "the column " + name + " is declared in " + first->second +
                                           " as well: a column has one Add"});
                 }
               });
  return findings;
}

}  // namespace schedbench::lint
