#include "base/text.hpp"
#include "cli/command.hpp"
#include "platform/threads/thread.hpp"
#include "registry/scheduler.hpp"
#include "tests/cli/process.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::tests::flags_test {

namespace {

// What a usage error is: code 2, nothing on stdout, the whole message on stderr.
void ExpectRefused(const std::vector<std::string>& arguments, const std::string& message) {
  const Finished run = Schedbench(arguments);
  std::string line;
  for (const std::string& argument : arguments) {
    line += argument + " ";
  }
  EXPECT_EQ(run.code, 2) << line;
  EXPECT_EQ(run.out, "") << line;
  EXPECT_EQ(run.error, message) << line;
}

void ExpectRunRefused(std::vector<std::string> flags, const std::string& message) {
  flags.insert(flags.begin(), {"run", "-c", "fast.json", "-w", "yield:fibers=1,yields=1"});
  ExpectRefused(flags, message);
}

TEST(Usage, OfNothingIsTheHelpOnStderr) {
  const Finished run = Schedbench({});
  EXPECT_EQ(run.code, 2);
  EXPECT_EQ(run.out, "");
  EXPECT_NE(run.error.find("usage: schedbench <command>"), std::string::npos);
}

TEST(Usage, UnknownCommandIsRefusedWithTheNearestName) {
  ExpectRefused({"rnu"},
                "error: unknown command 'rnu'; did you mean 'run'?    schedbench --help\n");
  ExpectRefused({"help", "lsit"},
                "error: unknown command 'lsit'; did you mean 'list'?    schedbench --help\n");
  ExpectRefused({"frobnicate"},
                "error: unknown command 'frobnicate'; did you mean 'profile', 'validate' or "
                "'compare'?    schedbench --help\n");
  ExpectRefused({"--verson"},
                "error: unknown flag '--verson'; did you mean '--version'?    schedbench --help\n");
}

TEST(Usage, UnknownFlagIsRefusedWithTheNearestName) {
  ExpectRunRefused({"--roundz", "3"}, "error: unknown flag '--roundz'; did you mean '--rounds'?\n");
  ExpectRunRefused({"--roundz=3"}, "error: unknown flag '--roundz'; did you mean '--rounds'?\n");
  ExpectRefused({"validate", "--every"},
                "error: unknown flag '--every'; validate takes no flags but --help\n");
}

TEST(Usage, MissingOrUnwantedValueIsRefused) {
  ExpectRunRefused({"--rounds"}, "error: --rounds needs a value: --rounds N\n");
  ExpectRunRefused({"--set"}, "error: --set needs a value: --set FIELD=VALUE\n");
  ExpectRunRefused({"-o"}, "error: --output needs a value: --output FILE\n");
  ExpectRunRefused({"-qo"}, "error: --output needs a value: --output FILE\n");
  ExpectRunRefused({"-o", "--quiet"}, "error: --output needs a value: --output FILE\n");
  ExpectRunRefused({"-o", "-h"}, "error: --output needs a value: --output FILE\n");
  ExpectRunRefused({"-o", "--"}, "error: --output needs a value: --output FILE\n");
  ExpectRunRefused({"-o", "x.json", "-n"}, "error: --rounds needs a value: --rounds N\n");
  ExpectRunRefused({"-q=3"}, "error: unexpected '=3': a short flag takes no value after '='\n");
  for (const char* const value : {"3", "no", "yes"}) {
    ExpectRunRefused({"--quiet=" + std::string(value)}, "error: --quiet takes no value\n");
  }
}

TEST(Usage, UnexpectedWordIsRefused) {
  ExpectRunRefused({"extra"},
                   "error: run: unexpected argument 'extra'    usage: schedbench run [flags]\n");
  ExpectRunRefused({"--", "--rounds"},
                   "error: run: unexpected argument '--rounds'    usage: schedbench run [flags]\n");
  ExpectRefused(
      {"--", "list"},
      "error: unknown flag '--'; did you mean '--help' or '--version'?    schedbench --help\n");
  ExpectRefused(
      {"++"},
      "error: unknown command '++'; did you mean 'run', 'top' or 'man'?    schedbench --help\n");
  ExpectRefused({"validate", "--"},
                "error: validate needs FILE    usage: schedbench validate FILE...\n");
  ExpectRefused(
      {"list", "--", "--"},
      "error: list --   '--' is not one of schedulers|workloads|metrics|configs|suites\n");
  ExpectRefused({"list", "metrics", "configs"},
                "error: list: unexpected argument 'configs'    usage: schedbench list [flags] "
                "[schedulers|workloads|metrics|configs|suites]\n");
}

TEST(Usage, SecondWorkloadIsRefused) {
  ExpectRefused(
      {"run", "-w", "yield", "-w", "pingpong"},
      "error: --workload is given 2 times    schedbench compare takes several workloads\n");
}

TEST(Usage, LaterFlagOverridesAnEarlierOne) {
  const Finished run = Schedbench({"run", "-c", "fast.json", "-n", "400", "-n", "1", "-w",
                                   "yield:fibers=1,yields=1", "-f", "json", "-f", "table"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_NE(run.out.find("1 round"), std::string::npos);
}

TEST(Numbers, ThatAreNotPlainDecimalAreRefusedWithFlagValueAndLimits) {
  for (const std::string flag : {"--rounds", "--warmup", "--seed"}) {
    const std::string allowed = flag == "--rounds"   ? "1..1000000"
                                : flag == "--warmup" ? "0..1000000"
                                                     : "0..18446744073709551615";
    for (const std::string value :
         {"010", "0x10", "1e6", "1.5", "+5", "nan", "1e999", "ten", "5 "}) {
      ExpectRunRefused(
          {flag, value},
          fmt::format("error: {0} {1}   '{1}' is not a plain whole number; expected {2}\n", flag,
                      value, allowed));
    }
  }
}

TEST(Numbers, OutsideTheirLimitsAreRefused) {
  ExpectRunRefused({"--rounds", "0"}, "error: --rounds 0   '0' is outside 1..1000000\n");
  ExpectRunRefused({"--rounds", "-1"}, "error: --rounds -1   '-1' is outside 1..1000000\n");
  ExpectRunRefused({"--rounds", "4294967297"},
                   "error: --rounds 4294967297   '4294967297' is outside 1..1000000\n");
  ExpectRunRefused({"--warmup", "1000001"},
                   "error: --warmup 1000001   '1000001' is outside 0..1000000\n");
  ExpectRunRefused({"--seed", "18446744073709551616"},
                   "error: --seed 18446744073709551616   '18446744073709551616' is outside "
                   "0..18446744073709551615\n");
}

TEST(Numbers, OfHogsAreLimitedByTheNumberOfCpus) {
  const std::uint32_t cpus = platform::AllowedCpus();
  const std::uint32_t most = 32 * cpus;
  const std::string more = std::to_string(most + 1);
  const std::string complaint =
      fmt::format("is more than 32 processes for each of {} {}    --hog {}", cpus,
                  cpus == 1 ? "CPU" : "CPUs", most);
  for (const char* const command : {"compare", "study"}) {
    ExpectRefused({command, "fast", "fast", "global_fifo", "--hog", more},
                  fmt::format("error: --hog {}   {}\n", more, complaint));
  }
}

TEST(Names, ThatAreUnknownAreRefusedWithTheNearestOne) {
  ExpectRefused({"run", "-c", "fast.json", "-w", "ping-pong"},
                "error: unknown workload 'ping-pong'; did you mean 'pingpong'?    schedbench list "
                "workloads\n");
  ExpectRefused(
      {"run", "-s", "fats"},
      "error: unknown scheduler 'fats'; did you mean 'fast'?    schedbench list schedulers\n");
  ExpectRunRefused(
      {"-f", "jsno"},
      fmt::format("error: --format jsno   'jsno' is not one of {}; did you mean 'json'?\n",
                  fmt::join(cli::kFormatNames<true>, "|")));
  ExpectRunRefused(
      {"--set", "lifo_limt=3"},
      "error: --set lifo_limt=3   unknown field 'lifo_limt'; did you mean 'lifo_limit'?\n");
}

TEST(Names, OfPublishedAlgorithmsThatAreMisspeltAreRefusedWithTheNearestOne) {
  const auto refuse = [](const std::string& name, const std::string& nearest) {
    ExpectRefused({"run", "-s", name}, "error: unknown scheduler '" + name + "'; did you mean '" +
                                           nearest + "'?    schedbench list schedulers\n");
  };
  refuse("GlobalFifo", "GlobalFIFO");
  refuse("global-fifo", "global_fifo' or 'GlobalFIFO");
  refuse("WorkStealing_MutexQueue_LFABQueue_PutHalfToGlobe_StealHalf",
         "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf");
  refuse("workstealing_mutexqueue_mutexqueue_stealone_getonefromglob",
         "WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob");
}

TEST(Names, EscapeWhatATerminalWouldObey) {
  ExpectRefused({"run", "-s", "a\033[31m\n\xff"},
                "error: unknown scheduler 'a\\x1b[31m\\n\\xff'; did you mean 'fast', "
                "'cached_pool' or 'GlobalFIFO'?    schedbench list schedulers\n");
}

TEST(Workload, ParametersAreCheckedLikeFields) {
  const auto refuse = [](const std::string& workload, const std::string& message) {
    ExpectRefused({"run", "-c", "fast.json", "-w", workload},
                  "error: --workload " + workload + message + "\n");
  };
  refuse("pingpong:pair=3", " pair   unknown parameter; did you mean 'pairs'?");
  refuse("pingpong:pairs=0", " pairs   '0' is outside 1..1000000");
  refuse("pingpong:pairs=1e12", " pairs   '1e12' is not a plain whole number; expected 1..1000000");
  refuse("pingpong:hint=nxt", " hint   'nxt' is not one of none|next; did you mean 'next'?");
  refuse("pingpong:pairs=1,pairs=2", "   'pairs' is given twice");
  refuse("pingpong:pairs",
         "   'pairs' is not KEY=VALUE; expected NAME or NAME:KEY=VALUE,KEY=VALUE");
}

TEST(Parts, ThatDoNotExistAreRefusedWithTheAllowedOnes) {
  const auto refuse = [](const std::string& scheduler, const std::string& set,
                         const std::string& message) {
    ExpectRefused({"run", "-s", scheduler, "--set", set},
                  "error: --set " + set + "   " + message + "\n");
  };
  refuse("work_stealing", "local_queue=rings",
         "'rings' is not one of mutex|lfab|two_head|ring; did you mean 'ring'?");
  refuse("work_stealing", "pickorder=s0", "unknown field 'pickorder'; did you mean 'pick_order'?");
  refuse("work_stealing", "local_queue_capacity=3", "'3' is not a power of two in 2..65536");
  refuse("bounded_pool", "limit=0", "'0' is outside 1..1000000");
  refuse("cached_pool", "max_threads=1000001", "'1000001' is outside 0..1000000");
}

TEST(Parts, ThatDoNotFitTogetherAreRefusedAndSayWhatIsMissing) {
  ExpectRefused({"run", "-s", "work_stealing", "--set", "global_queue=take_all", "--set",
                 "local_queue=mutex"},
                "error: --set global_queue=take_all   take_all takes the whole queue at once, and "
                "needs global_grab=all\n");
}

// Runs with each of `sets` by a --set of its own.
Finished RunWith(std::vector<std::string> arguments, const std::vector<std::string>& sets) {
  arguments.insert(arguments.begin(), "run");
  arguments.insert(arguments.end(), {"-w", "yield:fibers=1,yields=1", "-n", "1", "-q"});
  for (const std::string& set : sets) {
    arguments.insert(arguments.end(), {"--set", set});
  }
  return Schedbench(arguments);
}

TEST(Parts, ThatHaveNoEffectWithTheOthersAreRefusedAndNameWhatTheyNeed) {
  // The first of `sets` is the one that is refused.
  const auto refuse = [](const std::string& scheduler, const std::vector<std::string>& sets,
                         const std::string& message) {
    const Finished run = RunWith({"-s", scheduler}, sets);
    EXPECT_EQ(run.code, 2) << sets.front();
    EXPECT_EQ(run.out, "") << sets.front();
    EXPECT_EQ(run.error, "error: --set " + sets.front() + "   " + message + "\n");
  };
  const std::string slot = "only pick_order=s4 has a LIFO slot";
  const std::string one = "with steal=one a thief takes one task; this field needs steal=half";
  const std::string no_limit =
      "a mutex queue has no limit; this field needs another local_queue, steal=half, or "
      "global_grab=fair_share or half_capacity";
  refuse("work_stealing", {"lifo_limit=5", "pick_order=s0"}, slot);
  refuse("work_stealing", {"lifo_limit=3", "pick_order=s3"}, slot);  // the default, but asked for
  refuse("work_stealing", {"steal_batch=4", "steal=one"}, one);
  refuse("work_stealing", {"overflow=one", "local_queue=mutex"},
         "a mutex queue is never full; this field needs another local_queue");
  refuse("work_stealing",
         {"local_queue_capacity=64", "local_queue=mutex", "steal=one", "global_grab=all"},
         no_limit);
  refuse("fast", {"lifo_steal=wake", "lifo_limit=0"},
         "there is no LIFO slot; this field needs a lifo_limit of at least 1");
  // Here the name has chosen the other parts.
  const std::string named = "WorkStealing_MutexQueue_MutexQueue_StealOne_GetOneFromGlob";
  refuse(named, {"lifo_limit=5"}, slot);
  refuse(named, {"local_queue_capacity=64"},
         "the local queues of this scheduler have no limit, and no batch depends on this field");
}

TEST(Parameters, OfAWorkloadThatHaveNoEffectWithTheOthersAreRefused) {
  for (const std::string guard : {"mutex", "thread_mutex"}) {
    const Finished run = Schedbench(
        {"run", "-s", "fast", "-w", "strand_vs_mutex:outstanding=4,sections=10,guard=" + guard});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.error.find(" outstanding   under a mutex a client waits for each section; "
                               "this field needs guard=strand or guard=mutex_strand") !=
                std::string::npos)
        << run.error;
  }
  EXPECT_EQ(Schedbench({"run", "-s", "fast", "--rounds", "1", "-w",
                        "strand_vs_mutex:outstanding=4,sections=10,guard=mutex_strand"})
                .code,
            0);
}

TEST(Parts, ThatHaveAnEffectWithTheOthersAreTaken) {
  const auto accept = [](const std::vector<std::string>& arguments,
                         const std::vector<std::string>& sets) {
    const Finished run = RunWith(arguments, sets);
    EXPECT_EQ(run.code, 0) << run.error;
  };
  accept({"-s", "work_stealing"}, {"lifo_limit=5", "pick_order=s4", "overflow=one"});
  // Half of it is the most of a steal, and of what is taken from the global queue.
  for (const std::string other : {"steal=half", "global_grab=fair_share"}) {
    accept({"-s", "work_stealing"},
           {"local_queue=mutex", "local_queue_capacity=64", "steal=one", "global_grab=all", other});
  }
  accept({"-s", "WorkStealing_MutexQueue_LFABQueue_PutHalfToGlob_StealHalf"},
         {"local_queue_capacity=64", "pick_order=s4", "lifo_limit=5"});
  // A file that lists all fields has chosen none of them.
  accept({"-c", "work_stealing.json"}, {"pick_order=s0", "local_queue=mutex", "steal=one"});
}

TEST(Threads, ThatTheMachineDoesNotPermitAreRefusedWithTheLimitThatSaysSo) {
  for (const std::string scheduler : {"thread_per_task", "cached_pool", "bounded_pool"}) {
    const std::string field = scheduler == "bounded_pool" ? "limit" : "max_threads";
    const Finished run = Schedbench({"run", "-s", scheduler, "--set", field + "=1000000"});
    EXPECT_EQ(run.code, 2);
    EXPECT_EQ(run.out, "");
    EXPECT_TRUE(run.error.starts_with(fmt::format(
        "error: scheduler {}: {}=1000000 threads: the machine permits ", scheduler, field)))
        << run.error;
  }
}

TEST(Workers, AreANumberOrAuto) {
  const auto workers = [](const std::vector<std::string>& flags) {
    std::vector<std::string> all{"run", "-s", "fast", "-w",  "yield:fibers=1,yields=1",
                                 "-n",  "1",  "-f",   "json"};
    all.insert(all.end(), flags.begin(), flags.end());
    const Finished run = Schedbench(all);
    EXPECT_EQ(run.code, 0) << run.error;
    const auto result = nlohmann::json::parse(run.out);
    EXPECT_EQ(result["workers"].size(), result["config"]["workers"]);
    return std::pair(result["workers"].size(), result["machine"]["cpus_allowed"]);
  };
  EXPECT_EQ(workers({"--workers", "3"}).first, 3U);
  EXPECT_EQ(workers({"--workers=5", "--set", "workers=2"}).first, 5U);
  for (const char* automatic : {"auto", "0"}) {
    const auto [count, cpus] = workers({"--workers", automatic});
    EXPECT_EQ(count, cpus);
  }
}

TEST(Workers, AreOnePerCpuThatTheProcessMayUseUnlessTheUserSaysOtherwise) {
  // The first of the CPUs that this test may use, whichever these are.
  const Finished run =
      Execute({"sh", "-c",
               "cpu=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//'); exec taskset -c "
               "$cpu \"$0\" run -s fast -w yield:fibers=1,yields=1 -n 1 -f json",
               SCHEDBENCH_BINARY});
  ASSERT_EQ(run.code, 0) << run.error;
  const auto result = nlohmann::json::parse(run.out);
  EXPECT_EQ(result["workers"].size(), 1U);
  EXPECT_EQ(result["config"]["workers"], 1);
}

TEST(Workers, AreRefusedWhereTheyAreNotANumberOrTheSchedulerHasNoWorkers) {
  ExpectRunRefused({"--workers", "two"},
                   "error: --workers two   'two' is not a plain whole number; expected 0..1024 or "
                   "auto\n");
  ExpectRunRefused({"--workers", "1025"},
                   "error: --workers 1025   '1025' is outside 0..1024; expected 0..1024 or auto\n");
  ExpectRefused({"run", "-s", "cached_pool", "--workers", "2"},
                "error: --workers 2   scheduler cached_pool has no field 'workers'    "
                "schedbench describe scheduler cached_pool\n");
}

TEST(Scheduler, IsFastIfNoneIsNamed) {
  const Finished run = Schedbench({"run", "-w", "yield:fibers=1,yields=1", "-n", "1"});
  EXPECT_EQ(run.code, 0) << run.error;
  EXPECT_TRUE(run.out.starts_with("fast  ·  ")) << run.out;
}

TEST(Scheduler, FlagMustAgreeWithTheConfig) {
  ExpectRefused(
      {"run", "-c", "fast.json", "-s", "global_fifo"},
      "error: fast.json:3:16 /scheduler   this config is for 'fast', but --scheduler names "
      "'global_fifo'\n");
  ExpectRefused({"run", "-c", "fast.json", "-c", "global_fifo.json"},
                "error: global_fifo.json:3:16 /scheduler   this config is for 'global_fifo', but "
                "fast.json:3:16 names 'fast'\n");
}

TEST(Flags, HaveDefaultsThatObeyTheirRules) {
  for (const cli::Command* const command : cli::Commands()) {
    for (const cli::Flag& flag : command->flags) {
      for (const std::string& value : cli::Arguments().Values(flag)) {
        const auto complaint = flag.rule.complaint;
        EXPECT_EQ(complaint == nullptr ? "" : complaint(flag.rule, value), "") << flag.name;
      }
    }
  }
}

// A misspelt action would take the flag away without a word.
TEST(Flags, NameActionsThatTheirCommandHas) {
  for (const cli::Command* const command : cli::Commands()) {
    for (const cli::Flag& flag : command->flags) {
      EXPECT_EQ(flag.actions.empty(), command->actions.empty()) << flag.name;
      for (std::string_view rest = flag.actions; !rest.empty();) {
        const std::string_view name = TakePart(rest, ' ');
        EXPECT_NE(std::ranges::find(command->actions, name, &cli::Action::name),
                  command->actions.end())
            << command->name << " " << flag.name << ": " << name;
      }
    }
  }
}

TEST(Problems, AreShownAllAtOnce) {
  ExpectRefused(
      {"run", "-c", "fast.json", "--set", "workers=1025", "-w", "ping"},
      "error: 2 problems\n"
      "--set workers=1025   '1025' is outside 0..1024\n"
      "unknown workload 'ping'; did you mean 'ring' or 'pingpong'?    schedbench list workloads\n");
}

TEST(Problems, OfTheCommandLineItselfAreShownAllAtOnceBeforeThoseOfItsNames) {
  ExpectRefused(
      {"run", "-w", "ping", "--seed=x", "--roundz", "-n", "0", "-f", "yaml", "--warmup", "-q"},
      fmt::format(
          "error: 5 problems\n"
          "--rounds 0      '0' is outside 1..1000000\n"
          "--warmup needs a value: --warmup N\n"
          "--seed x        'x' is not a plain whole number; expected 0..18446744073709551615\n"
          "--format yaml   'yaml' is not one of {}\n"
          "unknown flag '--roundz'; did you mean '--rounds'?\n",
          fmt::join(cli::kFormatNames<true>, "|")));
}

TEST(Help, OfEachCommandIsOnStdoutAndShowsItsFlagsAndExamples) {
  for (const std::string command :
       {"run", "compare", "list", "describe", "validate", "doctor", "agent", "agent-check"}) {
    for (const auto& arguments : {std::vector<std::string>{command, "--help"},
                                  {command, "-h"},
                                  {"help", command},
                                  {command, "--no-such-flag", "-h"}}) {
      const Finished help = Schedbench(arguments);
      EXPECT_EQ(help.code, 0);
      EXPECT_EQ(help.error, "");
      EXPECT_NE(help.out.find("usage: schedbench " + command), std::string::npos) << help.out;
      EXPECT_NE(help.out.find("Examples:\n  schedbench " + command), std::string::npos) << help.out;
    }
  }
  EXPECT_NE(Schedbench({"run", "--help"}).out.find("--workload NAME[:KEY=VALUE,...]"),
            std::string::npos);
}

TEST(Help, StatesDefaultsAndWhichFlagsCountEachTime) {
  const std::string help = Schedbench({"help", "run"}).out;
  EXPECT_NE(help.find("\n      --timeout TIME  "), std::string::npos) << help;
  EXPECT_NE(help.find(" (default: 60s)\n"), std::string::npos) << help;
  EXPECT_NE(help.find(" (repeatable)\n"), std::string::npos) << help;
  EXPECT_NE(help.find("\n  -f, --format FORMAT "), std::string::npos) << help;
}

TEST(Help, OfTheToolNamesAllCommandsAndExitCodes) {
  const Finished help = Schedbench({"--help"});
  EXPECT_EQ(help.code, 0);
  EXPECT_EQ(Schedbench({"help"}).out, help.out);
  for (const char* text : {"  run  ", "  compare  ", "  list  ", "  describe  ", "  validate  ",
                           "  doctor  ", "  agent  ", "  agent-check  ", "  130  "}) {
    EXPECT_NE(help.out.find(text), std::string::npos) << text;
  }
}

TEST(Help, SaysThatAHangIsAFailureAndThatACrashMayBeOfTheMeasuredCode) {
  const std::string help = Schedbench({"--help"}).out;
  EXPECT_NE(help.find("\n  4    a wrong answer, a hang, "), std::string::npos) << help;
  EXPECT_NE(help.find("in schedbench or in the code that it measures\n"), std::string::npos)
      << help;
}

TEST(Version, SaysWhatTheProgramWasBuiltFrom) {
  const Finished version = Schedbench({"--version"});
  EXPECT_EQ(version.code, 0);
  EXPECT_EQ(Schedbench({"-V"}).out, version.out);
  for (const char* text :
       {"schedbench 0.1.0\n", "revision  ", "compiler  ", "flags     ", "-fno-omit-frame-pointer",
        "sanitizer ", "allocator ", "switch    ", "libraries ", "formats    result schema "}) {
    EXPECT_NE(version.out.find(text), std::string::npos) << version.out;
  }
}

}  // namespace

}  // namespace schedbench::tests::flags_test
