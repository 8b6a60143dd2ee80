#include "cli/command.hpp"
#include "cli/output/output.hpp"
#include "cli/output/path_names.hpp"
#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "platform/files/file.hpp"
#include "platform/files/input_file.hpp"
#include "profile/graph_page.hpp"
#include "profile/perf_reader.hpp"
#include "registry/pages.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::cli {

namespace {

constexpr std::array<std::string_view, 2> kVerbs{"render", "diff"};
constexpr std::array<std::string_view, 3> kUnits{"samples", "us", "ns"};

std::string PageComplaint(const ValueRule& /*rule*/, const std::string& path) {
  return path.ends_with(".html") ? "" : "the name must end in .html";
}

constexpr ValueRule kPageName{.complaint = &PageComplaint};

constexpr Flag kPageFlag =
    Flag{"--output", "-o", "FILE", "The page, a .html file, written whole or not at all"}
        .Checked(kPageName)
        .Writes()
        .Default("flamegraph.html");
constexpr Flag kTitleFlag{"--title", "", "TEXT",
                          "Title of the page (default: the names of the files)"};
constexpr Flag kUnitFlag = Flag{"--unit", "", "samples|us|ns",
                                "Unit of the weights (default: by the kind of file, else samples)"}
                               .Checked(OneOf(kUnits));

constexpr std::array kFlamegraphFlags{kPageFlag, kTitleFlag, kUnitFlag};

constexpr std::string_view kFlamegraphDetails =
    R"(Makes one page from folded stacks ("main;work;hash 42", one per line) or from the output of
`perf script`. The files may come from schedbench profile or from any other tool. The page has
search, zoom, flames and icicles, and needs no network.

  render FILE...      a tab for each file
  diff BEFORE AFTER   one picture of the changes. Widths are those of AFTER; each weight is relative
                      to the total of its file. Red grew, blue shrank, and grey is within the noise
                      of so few samples; a switch shows what only BEFORE has. Compare two runs under
                      the same load.

Examples:
  schedbench flamegraph render out/pingpong.folded -o page.html
  schedbench flamegraph diff before.folded after.folded -o diff.html
)";

// Of a file in a message.
std::string ShownName(const std::string& path) {
  return path == platform::kStdinName ? "stdin" : config::Escaped(path);
}

struct Stacks {
  profile::FoldedStacks folded;
  std::string unit;  // of the weights
};

// The unit of a file without --unit: perf prints periods, and schedbench profile writes waits in us.
std::string UnitOf(const std::string& path, const std::string& text) {
  if (profile::IsPerfScript(text)) {
    return profile::HasPeriods(text) ? "ns" : "samples";
  }
  return path.ends_with(".waiting.folded") || path.ends_with(".queueing.folded") ? "us" : "samples";
}

Stacks ReadStacks(const std::string& path, const std::string& unit) {
  constexpr std::size_t kLargest = std::size_t{512} << 20U;  // the page is even larger
  std::string text;
  try {
    text = platform::ReadInput(path, {.largest = kLargest});
  } catch (const platform::ReadError& error) {
    throw config::InputError(fmt::format("{}: {}", ShownName(path), error.what()));
  }
  const std::size_t after_brace = text.find_first_not_of("{ \t\r\n");
  const bool is_json =
      text.starts_with('{') && after_brace != std::string::npos && text[after_brace] == '"';
  if (is_json || text.starts_with("<!")) {
    throw config::InputError(
        fmt::format("{}: this is {}, not stacks    use the .folded or .perf.txt of the same run",
                    ShownName(path), is_json ? "JSON" : "a page"));
  }
  const std::string name = ShownName(path);
  profile::FoldedStacks stacks = profile::IsPerfScript(text) ? profile::FoldPerfScript(text, name)
                                                             : profile::ParseFolded(text, name);
  constexpr std::uint64_t kMaxWeight = std::uint64_t{1}
                                       << 53U;  // above it, numbers of a page are not exact
  std::uint64_t sum = 0;
  for (const auto& [stack, weight] : stacks) {
    if (weight > kMaxWeight - sum) {
      throw config::InputError(
          fmt::format("{}: the sum of all weights is above 2^53, the limit of a page", name));
    }
    sum += weight;
  }
  if (stacks.empty()) {
    throw config::InputError(fmt::format("{}: the file has no stacks", name));
  }
  return {.folded = std::move(stacks), .unit = unit.empty() ? UnitOf(path, text) : unit};
}

profile::GraphPage Rendered(const std::vector<std::string>& files, const std::string& unit) {
  profile::GraphPage page;
  const std::vector<std::string> names = DistinctNames(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    const std::string& file = files[i];
    page.title += (page.title.empty() ? "" : ", ") + names[i];
    Stacks stacks = ReadStacks(file, unit);
    page.graphs.push_back({.name = names[i],
                           .about = "Stacks of " + file,
                           .unit = stacks.unit,
                           .stacks = std::move(stacks.folded),
                           .sample_weight = stacks.unit == "samples" ? 1U : 0U,
                           .before = std::nullopt});
  }
  return page;
}

profile::GraphPage Difference(const std::vector<std::string>& files, const std::string& unit) {
  if (files.size() != 2) {
    throw config::InputError(
        fmt::format("flamegraph diff needs 2 files, BEFORE and AFTER, not {}    {}", files.size(),
                    UsageOf(kFlamegraphCommand)));
  }
  Stacks before = ReadStacks(files[0], unit);
  Stacks after = ReadStacks(files[1], unit);
  if (before.unit != after.unit) {
    throw config::InputError(
        fmt::format("{} has the unit {}, but {} has {}    --unit UNIT sets that of both",
                    ShownName(files[0]), before.unit, ShownName(files[1]), after.unit));
  }
  profile::GraphPage page;
  page.title = TitleOfPaths(files[0], files[1]);
  page.facts = {{"before", files[0]}, {"after", files[1]}};
  page.graphs.push_back(
      {.name = "Difference",
       .about = "Widths are those of AFTER; red grew, blue shrank, grey is noise.",
       .unit = after.unit,
       .stacks = std::move(after.folded),
       .sample_weight = after.unit == "samples" ? 1U : 0U,
       .before = std::move(before.folded)});
  return page;
}

std::vector<std::string> FilesOf(const std::vector<std::string>& words) {
  return {words.begin() + 1, words.end()};
}

ExitCode Flamegraph(const Arguments& arguments) {
  const std::string& verb = arguments.words.front();
  const std::vector<std::string> files = FilesOf(arguments.words);
  const std::string unit = arguments.Value(kUnitFlag).value_or("");
  const std::string output = *arguments.Value(kPageFlag);
  platform::CheckWritable(output);
  profile::GraphPage page = verb == "diff" ? Difference(files, unit) : Rendered(files, unit);
  if (registry::FlameGraphPage().empty()) {
    throw config::InputError(std::string(registry::kNoPages));
  }
  page.title = arguments.Value(kTitleFlag).value_or(page.title);
  platform::WriteFileWhole(output, profile::PageHtml(registry::FlameGraphPage(), page));
  Print(output + "\n");
  return ExitCode::kDone;
}

}  // namespace

const Command kFlamegraphCommand{
    .name = "flamegraph",
    .summary = "write a page with flame graphs of folded stacks, or with their difference",
    .words = "render|diff FILE...",
    .min_words = 2,
    .max_words = 1000,
    .first_word = OneOf(kVerbs),
    .files_of = &FilesOf,
    .words_are = Names::kFile,
    .flags = kFlamegraphFlags,
    .details = kFlamegraphDetails,
    .run = &Flamegraph,
};

}  // namespace schedbench::cli
