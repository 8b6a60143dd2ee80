#include "cli/command.hpp"
#include "cli/output/path_names.hpp"
#include "config/suggest.hpp"
#include "platform/files/file.hpp"
#include "platform/files/input_file.hpp"
#include "profile/foreign_name.hpp"
#include "profile/graph_page.hpp"
#include "profile/stack_text.hpp"
#include "registry/pages.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace schedbench::cli {

namespace {

constexpr std::array<std::string_view, 3> kVerbs{"render", "diff", "fold"};
constexpr std::array<std::string_view, 3> kUnits{"samples", "us", "ns"};
constexpr std::array<std::string_view, 5> kPlurals{"samples", "cycles", "faults", "events",
                                                   "instructions"};

std::string PageComplaint(const ValueRule& /*rule*/, const std::string& path) {
  return path.ends_with(".html") ? "" : "the name must end in .html";
}

constexpr ValueRule kPageName{.complaint = &PageComplaint};

constexpr auto kPageFlag =
    kFileFlag.Described("The page, a .html file, written whole or not at all")
        .Checked(kPageName)
        .Writes()
        .Default("flamegraph.html");
constexpr auto kTitleFlag =
    TextFlag{"--title", "", "TEXT", "Title of the page (default: the names of the files)"};
constexpr auto kUnitFlag =
    TextFlag{"--unit", "", "samples|us|ns",
             "Unit of the weights (default: by the kind of file, otherwise samples)"}
        .Checked(OneOf(kUnits));

constexpr auto kEventFlag = TextFlag{
    "--event", "", "NAME", "Only this event of perf, such as cycles:u (default: a tab for each)"};

constexpr auto kFlamegraphFlags = FlagsOf(kPageFlag, kTitleFlag, kUnitFlag, kEventFlag);

constexpr std::string_view kFlamegraphDetails =
    R"(Makes one page from folded stacks ("main;work;hash 42", one per line) or from the output of
`perf script`. The files may come from schedbench profile or from any other tool, and may be
compressed by gzip. The page has search, zoom, flames and icicles, and needs no network.

  render FILE...      a tab for each file, and for each event of perf
  diff BEFORE AFTER   one picture of the changes. Widths are those of AFTER; each weight is relative
                      to the total of its file. Red grew, blue shrank, and grey is within the noise
                      of so few samples; a switch shows what only BEFORE has. Compare two runs under
                      the same load.
  fold FILE...        prints the folded stacks of what it read, for other programs. Of several
                      events it prints the first one, and names the others.

Lines that are neither stacks nor samples are counted, and reported on stderr and on the page.
If most lines of folded stacks have two weights (difffolded.pl), they are a difference.
)";

// Returns the name of a file for messages.
std::string ShownName(const std::string& path) {
  return path == platform::kStdinName ? "stdin" : config::Escaped(path);
}

// Appends events and their weights to `list`.
std::string EventList(const std::vector<profile::EventStacks>& events, std::string list) {
  for (const profile::EventStacks& each : events) {
    std::uint64_t sum = 0;
    for (const auto& [stack, weight] : each.stacks) {
      sum += weight;
    }
    // One unit is singular: "1 sample". "ns" and names of events do not have a plural.
    const bool is_one = sum == 1 && std::ranges::find(kPlurals, each.unit) != kPlurals.end();
    list += fmt::format("{}{} ({} {})", list.empty() ? "" : ", ", config::Escaped(each.event), sum,
                        std::string_view(each.unit).substr(0, each.unit.size() - (is_one ? 1 : 0)));
  }
  return list;
}

// Returns the stacks of a file; only those of `event`, unless it is empty.
profile::StackText ReadStacks(const std::string& path, const std::string& event) {
  constexpr std::size_t kLargest = std::size_t{512} << 20U;  // the page is even larger
  const std::string name = ShownName(path);
  std::string text;
  try {
    text = platform::ReadInput(path, {.largest = kLargest});
  } catch (const platform::ReadError& error) {
    RefuseInput("{}: {}", name, error.what());
  }
  profile::StackText stacks = profile::ReadStackText(text, name);
  for (const auto* const texts : {&stacks.notes, &stacks.left_out}) {
    for (const std::string& note : *texts) {
      Say(fmt::format("note: {}: {}\n", name, note));
    }
  }
  if (!event.empty()) {
    std::vector<std::string_view> known;
    for (const profile::EventStacks& each : stacks.events) {
      if (!each.event.empty()) {  // folded stacks do not have events
        known.push_back(each.event);
      }
    }
    if (std::ranges::find(known, event) == known.end()) {
      RefuseInput("{}: the file has no event {}{}", name, config::Quoted(event),
                  config::DidYouMean(event, known));
    }
    std::erase_if(stacks.events, [&](const auto& each) { return each.event != event; });
  }
  return stacks;
}

void CheckSum(const profile::FoldedStacks& stacks, std::uint64_t scale, const std::string& path) {
  // A greater number is not exact on a page.
  constexpr std::uint64_t kMaxWeight = std::uint64_t{1} << 53U;
  std::uint64_t sum = 0;
  for (const auto& [stack, weight] : stacks) {
    if (weight / scale > kMaxWeight - sum) {
      RefuseInput("{}: the sum of all weights is above 2^53, the limit of a page", ShownName(path));
    }
    sum += weight / scale;
  }
}

// Returns a file's unit without --unit: perf names it; schedbench profile writes waits in us.
std::string UnitOf(const profile::EventStacks& stacks, const std::string& path,
                   const std::string& unit) {
  if (!unit.empty() || !stacks.unit.empty()) {
    return unit.empty() ? stacks.unit : unit;
  }
  return path.ends_with(".waiting.folded") || path.ends_with(".queueing.folded") ? "us" : "samples";
}

profile::Graph GraphOf(profile::EventStacks stacks, std::uint64_t scale, const std::string& path,
                       const std::string& unit) {
  CheckSum(stacks.stacks, scale, path);
  profile::Graph graph{.name = config::Escaped(stacks.event),
                       .about = "Stacks of " + path,
                       .unit = UnitOf(stacks, path, unit),
                       .stacks = std::move(stacks.stacks),
                       .sample_weight = 0,
                       .before = std::move(stacks.before),
                       .scale = scale,
                       .before_scale = scale};
  if (graph.before) {
    CheckSum(*graph.before, scale, path);
  }
  graph.sample_weight = graph.unit == "samples" ? 1U : 0U;
  return graph;
}

void AddFacts(const profile::StackText& stacks, const std::string& path, profile::GraphPage& page) {
  for (const std::string& note : stacks.notes) {
    page.facts.emplace_back("note on " + ShownName(path), note);
  }
  for (const std::string& kind : stacks.left_out) {
    page.facts.emplace_back("left out of " + ShownName(path), kind);
  }
}

profile::GraphPage Rendered(const std::vector<std::string>& files, const std::string& unit,
                            const std::string& event) {
  profile::GraphPage page;
  const std::vector<std::string> names = DistinctNames(files);
  for (std::size_t i = 0; i < files.size(); ++i) {
    page.title += (page.title.empty() ? "" : ", ") + names[i];
    profile::StackText stacks = ReadStacks(files[i], event);
    AddFacts(stacks, files[i], page);
    const bool has_several = stacks.events.size() > 1;
    for (profile::EventStacks& each : stacks.events) {
      profile::Graph graph = GraphOf(std::move(each), stacks.scale, files[i], unit);
      graph.name = !has_several        ? names[i]
                   : files.size() == 1 ? graph.name
                                       : names[i] + " " + graph.name;
      page.graphs.push_back(std::move(graph));
    }
  }
  return page;
}

profile::GraphPage Difference(const std::vector<std::string>& files, const std::string& unit,
                              const std::string& event, const std::string& usage) {
  if (files.size() != 2) {
    RefuseInput("flamegraph diff needs 2 files, BEFORE and AFTER, not {}    {}", files.size(),
                usage);
  }
  profile::StackText before = ReadStacks(files[0], event);
  profile::StackText after = ReadStacks(files[1], event);
  profile::GraphPage page;
  page.title = TitleOfPaths(files[0], files[1]);
  page.facts = {{"before", files[0]}, {"after", files[1]}};
  AddFacts(before, files[0], page);
  AddFacts(after, files[1], page);
  const bool is_single = before.events.size() == 1 && after.events.size() == 1;
  std::vector<profile::EventStacks> alone;
  for (profile::EventStacks& now : after.events) {
    const auto old =
        is_single ? before.events.begin()
                  : std::ranges::find(before.events, now.event, &profile::EventStacks::event);
    if (old == before.events.end()) {
      alone.push_back(std::move(now));
      continue;
    }
    for (std::size_t i = 0; i < 2; ++i) {
      if ((i == 0 ? *old : now).before) {
        RefuseInput("{}: this is a difference already    schedbench flamegraph render {} shows it",
                    ShownName(files[i]), ShownName(files[i]));
      }
    }
    const std::string unit_before = UnitOf(*old, files[0], unit);
    if (const std::string unit_after = UnitOf(now, files[1], unit); unit_before != unit_after) {
      RefuseInput("{} has the unit {}, but {} has {}    --unit UNIT sets that of both",
                  ShownName(files[0]), unit_before, ShownName(files[1]), unit_after);
    }
    CheckSum(old->stacks, before.scale, files[0]);
    profile::Graph graph = GraphOf(std::move(now), after.scale, files[1], unit);
    graph.before = std::move(old->stacks);
    graph.before_scale = before.scale;
    before.events.erase(old);
    graph.name = is_single ? "Difference" : graph.name;
    graph.about = "Widths are those of AFTER; red grew, blue shrank, grey is noise.";
    page.graphs.push_back(std::move(graph));
  }
  const std::string lonely = EventList(alone, EventList(before.events, ""));
  if (page.graphs.empty()) {
    RefuseInput("the files have no event in common: {}", lonely);
  }
  if (!lonely.empty()) {
    Say(fmt::format("note: only one of the files has {}: not compared\n", lonely));
    page.facts.emplace_back("not compared", lonely);
  }
  return page;
}

// Prints the stacks of each file in turn. Their reader adds up equal ones.
void PrintFolded(const std::vector<std::string>& files, const std::string& only) {
  std::string text;
  std::string unit;
  for (const std::string& file : files) {
    const profile::StackText read = ReadStacks(file, only);
    const profile::EventStacks& event = read.events.front();
    if (read.events.size() > 1) {
      Say(
          fmt::format("note: {}: only {} is printed, because weights of several events cannot be "
                      "added; also there: {}    --event NAME\n",
                      ShownName(file), config::Escaped(event.event),
                      EventList({read.events.begin() + 1, read.events.end()}, "")));
    }
    const std::string kind = UnitOf(event, file, "") + (event.before ? " of a difference" : "");
    if (!unit.empty() && unit != kind) {
      RefuseInput("{}: the weights are {}, those of the other files {}", ShownName(file), kind,
                  unit);
    }
    unit = kind;
    profile::FoldedStacks plain;
    for (const auto& [stack, weight] : event.stacks) {
      profile::AddWeight(plain, read.marks_are_ours ? profile::WithoutMarks(stack) : stack, weight,
                         ShownName(file));
    }
    for (const auto& [stack, weight] : plain) {
      const std::string before =
          event.before ? profile::WeightText(event.before->at(stack), read.scale) + " " : "";
      text += fmt::format("{} {}{}\n", stack, before, profile::WeightText(weight, read.scale));
    }
  }
  Print(text);
}

std::vector<std::string> FilesOf(const std::vector<std::string>& words) {
  return {words.begin() + 1, words.end()};
}

ExitCode Flamegraph(const Arguments& arguments) {
  const std::string& verb = arguments.words.front();
  const std::vector<std::string> files = FilesOf(arguments.words);
  const std::string unit = arguments[kUnitFlag].value_or("");
  const std::string event = arguments[kEventFlag].value_or("");
  if (verb == "fold") {
    for (const Flag& flag : FlagsOf(kPageFlag, kTitleFlag, kUnitFlag)) {
      if (arguments.Has(flag)) {
        RefuseInput("{} belongs to pages: flamegraph fold prints to stdout    drop it", flag.name);
      }
    }
    PrintFolded(files, event);
    return ExitCode::kDone;
  }
  const std::string output = arguments[kPageFlag];
  platform::CheckWritable(output);
  profile::GraphPage page = verb == "diff" ? Difference(files, unit, event, arguments.usage)
                                           : Rendered(files, unit, event);
  if (registry::FlameGraphPage().empty()) {
    throw config::InputError(std::string(registry::kNoPages));
  }
  page.title = arguments[kTitleFlag].value_or(page.title);
  platform::WriteFileWhole(output, profile::PageHtml(registry::FlameGraphPage(), page));
  Print(output + "\n");
  return ExitCode::kDone;
}

const CommandRegistration kFlamegraph{{
    .place = 130,
    .name = "flamegraph",
    .summary = "write a page with flame graphs of stacks or of their difference; fold stacks",
    .words = {"FILE...", 2, 1000, Names::kFile, &FilesOf, OneOf(kVerbs)},
    .flags = kFlamegraphFlags,
    .details = kFlamegraphDetails,
    .examples =
        R"(  schedbench flamegraph render out/pingpong.folded -o page.html
  schedbench flamegraph diff before.folded after.folded -o diff.html
  perf script | schedbench flamegraph fold - > perf.folded
)",
    .run = &Flamegraph,
}};

}  // namespace

}  // namespace schedbench::cli
