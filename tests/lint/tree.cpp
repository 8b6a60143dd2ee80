// The rules, applied to this source tree.
#include "tests/lint/rules.hpp"
#include "tests/lint/tree_rules.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

namespace schedbench::lint {

namespace {

namespace fs = std::filesystem;

// Only what belongs to the project: results, notes and builds may lie next to it.
constexpr const char* kRoots[] = {".ci",
                                  "src",
                                  "schedulers",
                                  "workloads",
                                  "tests",
                                  "configs",
                                  "flamegraph",
                                  "CMakeLists.txt",
                                  "CMakePresets.json",
                                  "Makefile",
                                  "README.md",
                                  "CONTRIBUTING.md",
                                  "docs"};

bool IsForeignFolder(const fs::path& folder) {
  return folder.filename() == "node_modules" || folder.filename() == "target";
}

void Load(const fs::path& file, std::vector<SourceFile>& files) {
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (text.find('\0') == std::string::npos) {
    files.push_back(Parse(file.lexically_relative(SCHEDBENCH_SOURCE_DIR).generic_string(), text));
  }
}

std::vector<SourceFile> LoadTree() {
  std::vector<SourceFile> files;
  for (const char* root : kRoots) {
    const fs::path path = fs::path(SCHEDBENCH_SOURCE_DIR) / root;
    if (fs::is_regular_file(path)) {
      Load(path, files);
    } else if (fs::is_directory(path)) {
      for (auto entry = fs::recursive_directory_iterator(path); entry != fs::end(entry); ++entry) {
        if (entry->is_directory() && IsForeignFolder(entry->path())) {
          entry.disable_recursion_pending();
        } else if (entry->is_regular_file()) {
          Load(entry->path(), files);
        }
      }
    }
  }
  return files;
}

void ExpectNothingFoundBy(Rule rule) {
  const std::vector<SourceFile> files = LoadTree();
  // More than a handful: an empty walk would prove nothing.
  ASSERT_GT(files.size(), 20U) << "is " SCHEDBENCH_SOURCE_DIR " the source tree?";
  for (const SourceFile& file : files) {
    for (const Finding& finding : rule(file)) {
      ADD_FAILURE() << finding;
    }
  }
}

TEST(SourceTree, IncludesOnlyTheOwnLayerAndLowerOnes) {
  ExpectNothingFoundBy(CheckLayers);
}

TEST(SourceTree, IncludesSystemHeadersInThePlatformOnly) {
  ExpectNothingFoundBy(CheckSystemHeaders);
}

TEST(SourceTree, ExplainsEveryMemoryOrder) {
  for (const Finding& finding : FindUnexplainedOrders(LoadTree())) {
    ADD_FAILURE() << finding;
  }
}

TEST(SourceTree, HasCommentsInPlainSentences) {
  ExpectNothingFoundBy(CheckComments);
}

TEST(SourceTree, UsesItsOwnAtomicsLocksAndThreads) {
  ExpectNothingFoundBy(CheckThreadPrimitives);
}

TEST(SourceTree, UsesNoAlgorithmsThatClangRefuses) {
  ExpectNothingFoundBy(CheckDeprecatedAlgorithms);
}

TEST(SourceTree, IncludesTheHeaderOfSanitizerMacros) {
  ExpectNothingFoundBy(CheckSanitizerMacros);
}

TEST(SourceTree, HasNoFileOverSixHundredLines) {
  ExpectNothingFoundBy(CheckLength);
}

TEST(SourceTree, NamesNoMachineAndNoPrivateNetwork) {
  ExpectNothingFoundBy(CheckMachineNames);
}

TEST(SourceTree, SleepsInTestsOnlyWhereSleepIsTested) {
  ExpectNothingFoundBy(CheckSleeps);
}

std::size_t CountOf(Rule rule) {
  std::size_t count = 0;
  for (const SourceFile& file : LoadTree()) {
    count += rule(file).size();
  }
  return count;
}

TEST(SourceTree, HasNoCycleOfIncludesAtAnyLevel) {
  for (const Finding& finding : FindCycles(LoadTree())) {
    ADD_FAILURE() << finding;
  }
}

TEST(SourceTree, HasOnePlaceForEachFlagFormatAndColumn) {
  const std::vector<SourceFile> files = LoadTree();
  for (const auto find : {&FindRepeatedFlags, &FindFormatsOutsideTheirList, &FindRepeatedColumns}) {
    for (const Finding& finding : find(files)) {
      ADD_FAILURE() << finding;
    }
  }
}

TEST(SourceTree, DocumentsEveryPublicFunction) {
  ExpectNothingFoundBy(CheckDocumentation);
}

TEST(SourceTree, HasDocumentsThatFitATerminal) {
  ExpectNothingFoundBy(CheckProseWidth);
}

TEST(SourceTree, HasNoLineOfCodeOverAHundredColumns) {
  ExpectNothingFoundBy(CheckCodeWidth);
}

TEST(SourceTree, UsesPlainWords) {
  ExpectNothingFoundBy(CheckWords);
}

// `make lint` prints it.
TEST(SourceTree, PrintsItsNumbers) {
  const std::vector<SourceFile> files = LoadTree();
  const TreeNumbers numbers = NumbersOf(files);
  fmt::print("cycles of includes             {}\n", FindCycles(files).size());
  fmt::print("undocumented public functions  {}\n", CountOf(CheckDocumentation));
  fmt::print("forbidden words                {}\n", CountOf(CheckWords));
  fmt::print("comments in dialect            {}\n", CountOf(CheckComments));
  fmt::print("lines over 100 columns         {}\n", CountOf(CheckCodeWidth));
  fmt::print("product files                  {}, {} lines\n", numbers.files, numbers.lines);
  fmt::print("median file                    {} lines\n", numbers.median_lines);
  fmt::print("longest file                   {} lines: {}\n", numbers.longest_lines,
             numbers.longest);
  const FlagNumbers flags = FlagsOf(files);
  fmt::print("declarations of flags          {}, for {} names\n", flags.declarations, flags.names);
  EXPECT_GT(numbers.files, 100U);
}

TEST(SourceTree, HasNothingUnfinishedOrSwitchedOff) {
  ExpectNothingFoundBy(CheckUnfinished);
}

}  // namespace

}  // namespace schedbench::lint
