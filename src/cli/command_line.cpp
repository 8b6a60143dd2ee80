#include "cli/command_line.hpp"

#include "cli/flags/arguments.hpp"
#include "cli/flags/grid.hpp"
#include "cli/flags/names.hpp"
#include "cli/flags/plan_from_flags.hpp"
#include "cli/flags/value_list.hpp"
#include "cli/output/file_conflicts.hpp"
#include "config/input_error.hpp"
#include "config/problems.hpp"
#include "config/quote.hpp"
#include "config/schema.hpp"
#include "config/settings.hpp"
#include "config/suggest.hpp"
#include "harness/agent/message.hpp"
#include "harness/result.hpp"
#include "platform/files/input_file.hpp"
#include "registry/build_info.hpp"
#include "registry/scheduler.hpp"
#include "registry/workload.hpp"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <utility>

// Only this source includes CLI11. It finds commands, flags and values, and lays out help. Its
// exceptions only have English texts, and the first one ends the parse. So validators report to
// config::Problems and accept, and unexpected words are read from App::remaining().

namespace schedbench::cli {

namespace {

std::string VersionText() {
  const registry::BuildInfo& build = registry::ThisBuild();
  return fmt::format(
      "schedbench {}\nrevision   {}{}\ncompiler   {}, {}\nflags      {}\nsanitizer  {}\nallocator  "
      "{}\nswitch     {}\nlibraries  Boost {}, fmt {}\nformats    result schema {}, agent protocol "
      "{}\n",
      build.version, build.revision, build.modified ? " (modified)" : "", build.compiler,
      build.build_type, build.flags, build.sanitizer, build.allocator, build.context_switch,
      build.boost_version, build.fmt_version, harness::kSchemaVersion, harness::kAgentProtocol);
}

// Formats "  NAME  DOC", with a longer doc on several lines.
std::string Entry(std::string_view name, std::string_view doc) {
  constexpr std::size_t kColumns = 100;  // also the width of the commands' details
  const std::size_t indent = name.size() + 4;
  return fmt::format(
      "  {}  {}\n", name,
      fmt::join(config::WrapWords(doc, kColumns - indent), fmt::format("\n{:{}}", "", indent)));
}

std::string DetailsOfTool() {
  std::string text =
      R"(  schedbench <command> --help    flags and examples of a command

Examples:
  schedbench run --config fast.json --workload pingpong
  schedbench run --scheduler global_fifo --workload spawn_join:tasks=10000 --format json
  schedbench describe scheduler fast

The result goes to stdout; progress and messages go to stderr. Colours and the progress line need a
terminal; NO_COLOR switches colours off.

Exit codes:
)";
  for (const ExitCodeMeaning& entry : kExitCodes) {
    text += Entry(fmt::format("{:<3}", static_cast<int>(entry.code)), entry.meaning);
  }
  return text;
}

void AddFiles(const std::string& workload, std::span<const std::string> overs,
              std::vector<std::string>& files) {
  config::Problems ignored;
  const auto choice = ChooseWorkload(workload, ignored);
  if (!choice) {
    return;
  }
  std::ranges::move(config::FilesOf(choice->parameters), std::back_inserter(files));
  for (const std::string_view over : overs) {
    const std::size_t sign = std::min(over.find('='), over.size());
    std::string_view key = over.substr(0, sign);
    if (key.starts_with(kWorkloadPrefix)) {
      key.remove_prefix(kWorkloadPrefix.size());
    }
    const config::Leaf* const leaf = choice->parameters.GetSchema().FindLeaf(key);
    if (leaf != nullptr && leaf->field->kind == config::Kind::kFile && sign < over.size()) {
      std::ranges::move(ParseValueList(over.substr(sign + 1), "", ignored),
                        std::back_inserter(files));
    }
  }
}

// Returns the files that parameters of a command's workloads name, such as the graph of replay:
// those of its flags and the values of a sweep, and its first word if `words_are` says that it is a
// workload. A wrong workload gives none; the command reports it.
std::vector<std::string> FilesOfWorkloads(std::span<const Flag> flags, Names words_are,
                                          const Arguments& arguments) {
  std::vector<std::string> workloads;
  std::vector<std::string> overs;
  for (const Flag& flag : flags) {
    if (flag.names == Names::kWorkload || flag.names == Names::kWorkloadOrSuite) {
      std::ranges::move(arguments.Values(flag), std::back_inserter(workloads));
    } else if (flag.names == Names::kSweepKey) {
      std::ranges::move(arguments.Values(flag), std::back_inserter(overs));
    }
  }
  if (words_are == Names::kAudited && !arguments.words.empty()) {
    workloads.push_back(arguments.words.front());
  }
  std::vector<std::string> files;
  for (const std::string& workload : workloads) {
    AddFiles(workload, overs, files);
  }
  return files;
}

// Returns advice for a flag, "--set" or "-c", that only another command has: the equivalent here,
// or the commands that take it. "" if no command has it.
std::string HintForFlag(const Command& command, std::string_view name) {
  std::vector<std::string_view> commands;
  std::string_view long_name = name;
  for (const Command* const other : Commands()) {
    if (const Flag* const flag = FindFlag(*other, name)) {
      commands.push_back(other->name);
      long_name = flag->name;
    }
  }
  if (const FlagHint* const hint = FindByName(command.hints, long_name)) {
    return std::string(hint->text);
  }
  return commands.empty() ? "" : fmt::format("it is a flag of {}", fmt::join(commands, ", "));
}

// Returns the words by which `command` would take an argument that it does not expect here:
// "describe scheduler fast", "run --workload yield". "" if the word names nothing.
std::string HintForWord(const Command& command, std::string_view word) {
  const std::string_view name = word.substr(0, word.find(':'));
  const bool is_scheduler = registry::FindScheduler(name) != nullptr;
  if (!is_scheduler && registry::FindWorkload(name) == nullptr) {
    return "";
  }
  const std::string_view kind = is_scheduler ? "scheduler" : "workload";
  const std::string flag = fmt::format("--{}", kind);
  const bool has_flag = FindFlag(command, flag) != nullptr;
  if (!has_flag && command.name != "describe") {
    return "";
  }
  return fmt::format("schedbench {} {} {}", command.name, has_flag ? flag : kind,
                     config::Escaped(word));
}

class HelpFormatter : public CLI::Formatter {
 public:
  // `action`: the action whose help follows. It outlives this object, and may change until then.
  explicit HelpFormatter(const Action*& action)
      : action_(action) {
    column_width(15);  // width of the command names
  }

  std::string make_description(const CLI::App* app) const override {
    return fmt::format("schedbench {}{}\n\n", app->get_name().empty() ? "" : app->get_name() + ": ",
                       app->get_description());
  }

  std::string make_usage(const CLI::App* app, std::string /*name*/) const override {
    const Command* const command = FindByName(Commands(), app->get_name());
    return (command == nullptr ? "usage: schedbench <command> [flags]"
                               : UsageOf(*command, action_)) +
           "\n";
  }

  std::string make_group(std::string group, bool /*is_positional*/,
                         std::vector<const CLI::Option*> options) const override {
    std::size_t width = 0;
    for (const CLI::Option* const option : options) {
      width = std::max(width, make_option_name(option, false).size());
    }
    std::string text = fmt::format("\n{}:\n", group);
    for (const CLI::Option* const option : options) {
      text += Entry(fmt::format("{:<{}}", make_option_name(option, false), width),
                    option->get_description());
    }
    return text;
  }

  // Formats "-o, --output FILE".
  std::string make_option_name(const CLI::Option* option, bool /*is_positional*/) const override {
    const std::vector<std::string>& short_names = option->get_snames();
    const std::string value = option->get_type_name();
    return fmt::format("{}--{}{}{}",
                       short_names.empty() ? "    " : "-" + short_names.front() + ", ",
                       option->get_lnames().front(), value.empty() ? "" : " ", value);
  }

  // Versions of CLI11 put different empty lines between the parts.
  std::string make_help(const CLI::App* app, std::string name,
                        CLI::AppFormatMode mode) const override {
    return make_description(app) + make_usage(app, std::move(name)) + make_groups(app, mode) +
           make_subcommands(app, mode) + "\n" + app->get_footer();
  }

 private:
  const Action*& action_;
};

class Parser {
 public:
  Parser() {
    app_.formatter(std::make_shared<HelpFormatter>(action_));
    app_.option_defaults()->group("Flags");
    app_.require_subcommand(0, 1);
    app_.set_version_flag("-V,--version", &VersionText,
                          "Print the version, the revision and the facts of the build");
    DeclareHelp(app_, DetailsOfTool());
    for (const Command* const command : Commands()) {
      Declare(*command);
    }
  }

  CommandLine Parse(std::vector<std::string> words) {
    const std::vector<std::string> typed = words;
    if (words.empty()) {
      return {.text = app_.help()};
    }
    if (words.front() == "help") {  // `help run` is `run --help`
      words.front() = "--help";
      std::ranges::rotate(words, words.begin() + 1);
    }
    if (const Command* const command = FindByName(Commands(), words.front());
        command != nullptr && words.size() > 1) {
      action_ = FindByName(command->actions, words[1]);
    }
    std::ranges::reverse(words);  // CLI11 takes words from the end
    std::string text;
    try {
      app_.parse(words);
    } catch (const CLI::CallForVersion& version) {
      text = version.what();
    } catch (const CLI::CallForHelp&) {
      text = app_.help();
    } catch (const CLI::ArgumentMismatch& mismatch) {
      RefuseMismatch(mismatch.what());
    }
    // These words precede the name of a command.
    const std::vector<std::string> unknown = app_.remaining();
    const bool has_answer = !text.empty() || !app_.get_subcommands().empty();
    if (!unknown.empty() || !has_answer) {
      RefuseCommand(unknown.empty() ? typed.front() : unknown.front());
    }
    return text.empty() ? Collected(typed) : CommandLine{.text = text};
  }

 private:
  // The flags follow when the user names the command: options of all commands take milliseconds.
  void Declare(const Command& command) {
    CLI::App& app = *app_.add_subcommand(std::string(command.name), std::string(command.summary));
    app.group("Commands");
    app.preparse_callback([this, &command, &app](std::size_t /*words*/) {
      // At "--" CLI11 ends a command whose words are complete.
      constexpr int kUnlimited = 1'000'000'000;
      app.add_option("words")->group("")->expected(kUnlimited)->take_all();
      for (const Flag& flag : command.flags) {
        Declare(flag, app);
      }
      const std::string details = DetailsOf(command, action_);
      DeclareHelp(app, fmt::format("{}{}Examples:\n{}", details, details.empty() ? "" : "\n",
                                   ExamplesOf(command, action_)));
    });
  }

  void Declare(const Flag& flag, CLI::App& app) {
    const std::string names = flag.short_name.empty()
                                  ? std::string(flag.name)
                                  : fmt::format("{},{}", flag.short_name, flag.name);
    CLI::Option* const option =
        flag.value.empty() ? app.add_flag(names)->disable_flag_override() : app.add_option(names);
    // Without a group the help omits it.
    option->description(DocOf(flag))
        ->group(Takes(action_, flag) ? "Flags" : "")
        ->type_name(std::string(flag.value))
        ->take_all()
        ->delimiter(flag.rule.separator)
        ->check([this, &flag, &app](const std::string& value) {
          CheckValue(flag, app, value);
          return std::string();
        });
  }

  // The help flag is declared last, for the order of the help.
  static void DeclareHelp(CLI::App& app, std::string details) {
    app.set_help_flag("-h,--help", "Print this help");
    app.footer(std::move(details));
    app.allow_extras();
  }

  // CLI11 takes any next word as the value of a flag.
  void CheckValue(const Flag& flag, const CLI::App& app, const std::string& value) {
    if (flag.value.empty()) {
      return;
    }
    if (value == kEndOfFlags ||
        (value.starts_with('-') && app.get_option_no_throw(value) != nullptr)) {
      Report("", NeedsValue(flag));
    } else if (flag.rule.complaint != nullptr) {
      Report(PlaceOf(flag, value), flag.rule.complaint(flag.rule, value));
    }
  }

  static std::string NeedsValue(const Flag& flag) {
    return fmt::format("{} needs a value: {} {}", flag.name, flag.name, flag.value);
  }

  // Reports that the last flag lacks a value or a switch has one. `text` begins with its name.
  [[noreturn]] void RefuseMismatch(const std::string& text) const {
    const Command& command = *FindByName(Commands(), app_.get_subcommands().front()->get_name());
    const std::string name = text.substr(0, text.find_first_of(": "));
    const Flag* const flag = FindFlag(command, name.starts_with('-') ? name : "--" + name);
    throw config::InputError(flag == nullptr       ? text
                             : flag->value.empty() ? fmt::format("{} takes no value", flag->name)
                                                   : NeedsValue(*flag));
  }

  void Report(std::string place, std::string complaint) {
    if (!complaint.empty()) {
      problems_.Add(std::move(place), "", std::move(complaint));
    }
  }

  [[noreturn]] static void RefuseCommand(const std::string& word) {
    const bool is_flag = word.starts_with('-');
    std::vector<std::string_view> names{"--help", "--version"};
    if (!is_flag) {
      names = NamesOf(Commands());
      names.push_back("--version");
    }
    RefuseInput("unknown {} {}{}    schedbench --help", is_flag ? "flag" : "command",
                config::Quoted(word), config::DidYouMean(word, names));
  }

  CommandLine Collected(const std::vector<std::string>& typed) {
    const CLI::App& app = *app_.get_subcommands().front();
    const Command& command = *FindByName(Commands(), app.get_name());
    CommandLine line{.command = &command};
    for (const std::string& word : app.remaining()) {
      if (word != kEndOfFlags) {
        Report("", UnknownFlag(command, word));
      }
    }
    for (const Flag& flag : command.flags) {
      const CLI::Option& option = *app.get_option(std::string(flag.name));
      if (option.count() == 0) {
        continue;
      }
      line.arguments.values[flag.name] = option.results();
      if (option.count() > 1 && !flag.once.empty()) {
        Report("", fmt::format("{} is given {} times    {}", flag.name, option.count(), flag.once));
      }
    }
    for (const CLI::Option* const option : app.parse_order()) {
      line.arguments.order.push_back(option->get_positional() ? "" : option->get_name());
    }
    CheckWords(command, line.arguments.words = app.get_option("words")->results());
    problems_.ThrowIfAny();
    line.arguments.inputs = InputsOf(command, line.arguments);
    CheckStdin(line.arguments.inputs);
    AddUnnamedInputs(command, line.arguments);
    CheckOutputs(command.flags, line.arguments, problems_);
    problems_.ThrowIfAny();
    line.arguments.usage = UsageOf(command);
    line.arguments.command_line = typed;
    line.arguments.command_line.insert(line.arguments.command_line.begin(), "schedbench");
    return line;
  }

  static std::string UnknownFlag(const Command& command, std::string_view word) {
    if (word.starts_with("-=")) {  // CLI11 leaves this of -q=3
      return fmt::format("unexpected {}: a short flag takes no value after '='",
                         config::Quoted(word.substr(1)));
    }
    const std::string_view name = word.substr(0, word.find('='));
    if (const std::string hint = HintForFlag(command, name); !hint.empty()) {
      return fmt::format("{} has no flag {}    {}", command.name, config::Quoted(name), hint);
    }
    return fmt::format("unknown flag {}{}", config::Quoted(name),
                       command.flags.empty()
                           ? fmt::format("; {} takes no flags but --help", command.name)
                           : config::DidYouMean(name, NamesOf(command.flags)));
  }

  static std::vector<std::string> InputsOf(const Command& command, const Arguments& arguments) {
    std::vector<std::string> inputs;
    if (command.words.files != nullptr) {
      inputs = command.words.files(arguments.words);
    }
    for (const Flag& flag : command.flags) {
      if (flag.file == FileUse::kRead) {
        std::ranges::copy(arguments.Values(flag), std::back_inserter(inputs));
      }
    }
    return inputs;
  }

  // Adds files that are neither words nor flags: they do not use stdin.
  static void AddUnnamedInputs(const Command& command, Arguments& arguments) {
    std::ranges::move(FilesOfWorkloads(command.flags, command.words.are, arguments),
                      std::back_inserter(arguments.inputs));
    if (command.reads_also != nullptr) {
      std::ranges::move(command.reads_also(arguments), std::back_inserter(arguments.inputs));
    }
  }

  void CheckStdin(const std::vector<std::string>& inputs) {
    if (const auto uses = std::ranges::count(inputs, platform::kStdinName); uses > 1) {
      Report("", fmt::format("- (stdin) is given {} times: it can be read only once", uses));
    }
  }

  // Returns "FILE" for "FILE...", "COMMAND" for "-- COMMAND...".
  static std::string NameOfFirst(const Words& words) {
    const std::string_view name =
        words.usage.substr(words.usage.starts_with("-- ") ? std::size_t{3} : 0);
    return words.first.choices.empty() ? std::string(name.substr(0, name.find_first_of(" .")))
                                       : "an argument";
  }

  void CheckWords(const Command& command, const std::vector<std::string>& words) {
    if (!problems_.empty()) {
      return;  // the value of an unknown flag is a word too
    }
    if (words.size() > command.words.max) {
      const std::string& word = words[command.words.max];
      const std::string hint = HintForWord(command, word);
      Report("", fmt::format("{}: unexpected argument {}    {}", command.name, config::Quoted(word),
                             hint.empty() ? UsageOf(command) : hint));
    } else if (words.size() < command.words.min) {
      Report("", fmt::format("{} needs {}    {}", command.name,
                             command.words.min == 1 ? NameOfFirst(command.words)
                                                    : fmt::format("at least {} arguments, not {}",
                                                                  command.words.min, words.size()),
                             UsageOf(command)));
    } else if (!words.empty() && command.words.first.complaint != nullptr) {
      const std::string& word = words.front();
      const std::string complaint = command.words.first.complaint(command.words.first, word);
      const std::string hint = complaint.empty() ? "" : HintForWord(command, word);
      Report(fmt::format("{} {}", command.name, config::Escaped(word)),
             complaint + (hint.empty() ? "" : "    " + hint));
    }
  }

  static constexpr std::string_view kEndOfFlags = "--";

  const Action* action_ = nullptr;  // action that the first words name, or null
  config::Problems problems_;
  CLI::App app_{std::string(kToolSummary) + "."};
};

}  // namespace

CommandLine ParseCommandLine(const std::vector<std::string>& words) {
  return Parser().Parse(words);
}

}  // namespace schedbench::cli
