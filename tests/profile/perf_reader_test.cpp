#include "profile/perf_reader.hpp"

#include "config/input_error.hpp"
#include "profile/foreign_name.hpp"
#include "profile/perf_script.hpp"
#include "tests/profile/example.hpp"
#include "tests/profile/stack_readers.hpp"
#include "tests/support/stress.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace schedbench::profile::perf_reader_test {

namespace {

using Texts = std::vector<std::string>;

std::string Data(const std::string& name) {
  std::ifstream file(std::string(SB_PROFILE_DATA) + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}

FoldedStacks Plain(const FoldedStacks& stacks) {
  FoldedStacks plain;
  for (const auto& [stack, weight] : stacks) {
    plain[WithoutMarks(stack)] += weight;
  }
  return plain;
}

// The stacks of a text with one event.
FoldedStacks Folded(std::string_view text) {
  EXPECT_TRUE(IsPerfScript(text)) << text;
  const StackText read = FoldPerfScript(text, "p.txt");
  EXPECT_EQ(read.events.size(), 1u) << text;
  return Plain(read.events[0].stacks);
}

// The only frame of a sample.
std::string NameOf(const std::string& frame) {
  const FoldedStacks stacks = Folded("a 1 2.0: 5 cycles: \n\t  10 " + frame + "\n\n");
  EXPECT_EQ(stacks.size(), 1u);
  const std::string& stack = stacks.begin()->first;
  return stack.starts_with("a;") ? stack.substr(2) : stack;
}

TEST(FoldPerfScript, FoldsWhatIsWrittenHereAsStackcollapseDoes) {
  std::string text;
  WritePerfScript(ExampleProfile(), "task-clock", {}, {},
                  [&text](std::string_view part) { text += part; });
  std::vector<std::string> warnings;
  EXPECT_EQ(Folded(text), CollapseAsPerl(text, warnings));
  EXPECT_EQ(FoldPerfScript(text, "p.txt").events[0].unit, "ns");
}

TEST(FoldPerfScript, ReadsPerfsOwnForm) {
  // As perf 6.1 prints it, with -F comm,pid,tid,time,period,event,ip,sym,dso.
  const std::string text =
      "fast-1     26190/26194  1798.899161:   10101010 cpu-clock:pppH: \n"
      "\t    55ad67444a80 (anonymous namespace)::Leaf(int) (/bin/x)\n"
      "\t    55ad67444aee Body (/bin/x)\n"
      "\n"
      "fast-1     26190/26194  1798.909161:   10101010 cpu-clock:pppH: \n"
      "\t    55ad67444aee Body (/bin/x)\n"
      "\n";
  EXPECT_EQ(Folded(text),
            (FoldedStacks{{"fast-1;Body", 10101010}, {"fast-1;Body;{anonymous}::Leaf", 10101010}}));
}

TEST(FoldPerfScript, ReadsAnEventWhateverFieldsItLacks) {
  for (const char* const head :
       {"my app 3 12 cycles: ", "my app 3 12/34 [003] cycles:", "my app 3 12/34 9.5: cycles:Pu: ",
        "my app 3    12 [003]  9.123456789:    1 cycles: ", "my app 3     12 cycles:u:",
        "   my app 3    12/34    [003] K 9.5:  1 cpu_atom/cycles/P: ",
        "my app 3 12 [000] d..2  9.5: cycles: ", "my app 3 12    [000]          1 cycles: ",
        "my app 3 12 9.5: ", "my app 3 12  9.5:          1 "}) {
    EXPECT_EQ(Folded(std::string(head) + "\n\t  10 main+0x1f (/bin/my app)\n\n"),
              (FoldedStacks{{"my app 3;main", 1}}))
        << head;
  }
  EXPECT_EQ(Folded("cycles: \n\t  10 main (x)\n\n"), (FoldedStacks{{"main", 1}}));
  EXPECT_EQ(Folded("9.5:   7 cycles: \n\t  10 main (x)\n\n"), (FoldedStacks{{"main", 7}}));
  EXPECT_EQ(Folded("my app\n\t  10 main (x)\n\n"), (FoldedStacks{{"my app;main", 1}}));
  EXPECT_EQ(Folded("my app 12 [003]\n\t  10 main\n\n"), (FoldedStacks{{"my app;main", 1}}));
  EXPECT_EQ(Folded("my app cycles: \n\t  10 main (x)\n\n"), (FoldedStacks{{"my app;main", 1}}));
}

TEST(FoldPerfScript, ReadsFramesWithoutAnyEvent) {
  EXPECT_EQ(Folded("\t  10 f\n\t  20 main\n\n\t  20 main\n\n\n"),
            (FoldedStacks{{"main", 1}, {"main;f", 1}}));
}

TEST(FoldPerfScript, KeepsCommandsWholeWhateverTheyContain) {
  for (const std::string command : {"swapper", "worker 3", "kworker/0:1-ev", "a: b", "a [b] c",
                                    ":1234", "x (y)", "DOM Worker", "2 be"}) {
    EXPECT_EQ(Folded(command + "  12/34 [003] 9.5:   7 cycles: \n\t  10 main (x)\n\n"),
              (FoldedStacks{{command + ";main", 7}}));
  }
  EXPECT_EQ(Folded(Data("perf_command_with_blanks.perf")),
            (FoldedStacks{{"Analysis Helper;helper_main", 1},
                          {"CUPSManager cup;main", 1008373},
                          {"CUPSManager cup;main;native_write_msr_safe", 1008373},
                          {"DOM Worker;worker_main", 1}}));
}

TEST(FoldPerfScript, ReadsSamplesWithoutTimesOrCallGraphs) {
  EXPECT_EQ(Folded(Data("perf_no_time_with_header.perf")),
            (FoldedStacks{{"func_ab;main;func_b", 1}}));
  EXPECT_EQ(Folded(Data("perf_no_callgraph.perf")),
            (FoldedStacks{{"db conn 1;__sin_fma", 4008016},
                          {"db conn 2;__sin_fma", 4008016},
                          {"pool worker 12;burn", 2004008}}));
  EXPECT_EQ(Folded("  add 1 2.0:  5 cycles:  7f00001234 f<a b>+0x1 (/my dir (x86)/b)\n"),
            (FoldedStacks{{"add;f<a b>", 5}}));
  EXPECT_EQ(Folded("  a 1 2.0:  5 mem-loads:  7fff001234 1057 |OP LOAD|LVL L1 hit|BLK  N/A  32  "
                   "401000 f (/b)\n"),
            (FoldedStacks{{"a;f", 5}}));
  EXPECT_EQ(Folded("  a 1 2.0:  5 cycles:  401000 f (/b) 0x1/0x2/P/-/-/0 0x3/0x4/M/-/-/0\n"),
            (FoldedStacks{{"a;f", 5}}));
}

TEST(FoldPerfScript, ReadsFramesWithoutIndentation) {
  EXPECT_EQ(Folded("java 19983 cycles:\nffffffff8103d0ca f ([kernel.kallsyms])\n40 main (/x)\n\n"),
            (FoldedStacks{{"java;main;f", 1}}));
}

TEST(FoldPerfScript, KeepsTheLastSampleWithoutABlankLine) {
  EXPECT_EQ(Folded("a 1 2.0: 5 e: \n\t  10 f (x)\n"), (FoldedStacks{{"a;f", 5}}));
  EXPECT_EQ(FoldPerfScript("a 1 2.0: 5 e: \r\n\t 10 f (x)\r\n  f.c:1\r\n", "x").left_out,
            Texts{"lines below frames, such as source lines: 1, the first in line 3: '  f.c:1'"});
  EXPECT_EQ(Folded("a 1 2.0: 5 e: \r\n\t  10 f (x)\r\n\r\n"), (FoldedStacks{{"a;f", 5}}));
}

TEST(FoldPerfScript, TakesFramesBehindABlankLineForThoseOfTheEvent) {
  EXPECT_EQ(Folded("a 1 2.0: 5 e: \n\n\t  10 f (x)\n\n"), (FoldedStacks{{"a;f", 5}}));
}

TEST(FoldPerfScript, KeepsSeveralEventsApartInTheirUnits) {
  const StackText read = FoldPerfScript(Data("perf_hybrid_two_events.perf"), "p.txt");
  ASSERT_EQ(read.events.size(), 2u);
  EXPECT_EQ(read.events[0].event, "cpu_atom/cycles:Pu/");
  EXPECT_EQ(read.events[0].unit, "cycles");
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"bant;main", 12000}}));
  EXPECT_EQ(read.events[1].event, "cpu_core/cycles:Pu/");
  EXPECT_EQ(read.events[1].unit, "cycles");
  EXPECT_EQ(read.events[1].stacks, (FoldedStacks{{"bant;main;bant::Scanner::Next", 6400000}}));
}

TEST(FoldPerfScript, MeasuresEachEventInItsUnit) {
  for (const auto& [event, unit] :
       std::vector<std::pair<std::string, std::string>>{{"cpu-clock:pppH", "ns"},
                                                        {"task-clock", "ns"},
                                                        {"cycles:Pu", "cycles"},
                                                        {"cpu_core/cycles/", "cycles"},
                                                        {"instructions:u", "instructions"},
                                                        {"page-faults", "faults"},
                                                        {"cache-misses", "cache-misses"},
                                                        {"sched:sched_switch", "events"},
                                                        {"r1a8", "events"},
                                                        {"cpu/event=0x3c,umask=0x0/", "events"}}) {
    const auto read = FoldPerfScript("a 1 2.0:  5 " + event + ": \n\t  10 f (x)\n", "p.txt");
    EXPECT_EQ(read.events[0].event, event);
    EXPECT_EQ(read.events[0].unit, unit) << event;
  }
  EXPECT_EQ(FoldPerfScript("a 1 2.0: cycles: \n\t  10 f (x)\n", "p.txt").events[0].unit, "samples");
}

TEST(FoldPerfScript, CountsRecordsAndKeepsAllSamples) {
  const StackText read = FoldPerfScript(Data("perf_show_mmap_events.perf"), "p.txt");
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].stacks.size(), 2u);
  EXPECT_EQ(read.events[0].stacks.begin()->second, 2004008u);
  EXPECT_TRUE(
      read.events[0].stacks.begin()->first.starts_with("db conn 1;[libstdc++.so.6.0.30]_[l];"));
  EXPECT_EQ(read.left_out, Texts{"perf records: 3, the first in line 1"});
}

TEST(FoldPerfScript, CountsOtherLinesByKindAndLosesNoSample) {
  const std::string text =
      "Warning: Processed 61 events and lost 1 chunks!\n"
      "# a comment\n"
      "a 1 2.0: 5 e: \n"
      "addr2line: DWARF error: could not find abbrev 12:\n"
      "\t  10 f (x)\n"
      "  source.cpp:12\n"
      "BFD: version 5\n"
      "\t  20 main (x)\n"
      "\n"
      "a 1 2.0: PERF_RECORD_LOST lost 45\n"
      "\n"
      "what is this\n"
      "a 1 3.0: 6 e: \n"
      "\n"
      "a 1 4.0: 7 e: \n"
      "\t  20 main (x)\n"
      "\n";
  ASSERT_TRUE(IsPerfScript(text));
  const StackText read = FoldPerfScript(text, "p.txt");
  ASSERT_EQ(read.events.size(), 1u);
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a", 6}, {"a;main", 7}, {"a;main;f", 5}}));
  EXPECT_EQ(read.left_out,
            (Texts{"bad lines: 2, the first in line 7: 'BFD: version 5'",
                   "lines below frames, such as source lines: 1, the first in line 6: '  "
                   "source.cpp:12'",
                   "messages: 2, the first in line 1: 'Warning: Processed 61 events and lost 1 "
                   "chunks!'",
                   "samples without a stack, which count for their command: 1, the first in line "
                   "13"}));
}

TEST(FoldPerfScript, AddsUpTheSamplesThatPerfHasLost) {
  const std::string sample = "a 1 2.0: 5 e: \n\t  10 f (x)\n\n";
  const auto notes = [&sample](const std::string& records) {
    return FoldPerfScript(records + sample, "p.txt").notes;
  };
  EXPECT_EQ(notes("a 1 2.0: PERF_RECORD_LOST lost 45\nb 1 2.0: PERF_RECORD_LOST_SAMPLES lost 5\n"),
            Texts{"50 samples were lost by perf"});
  EXPECT_EQ(notes("a 1 2.0: PERF_RECORD_LOST_SAMPLES 1\n"), Texts{"1 sample was lost by perf"});
  EXPECT_EQ(notes("PERF_RECORD_LOST lost 18446744073709551615\nPERF_RECORD_LOST lost 2\n"),
            Texts{"18446744073709551615 samples were lost by perf"});
  EXPECT_EQ(notes("a 1 2.0: PERF_RECORD_COMM: a:1/1\n"), Texts{});
}

TEST(FoldPerfScript, TakesNoCommandForAMessage) {
  for (const std::string command :
       {"fail2ban-server", "lost_worker", "error handler", "warningd", "no such thread"}) {
    EXPECT_EQ(Folded(command + "\n\t  10 main (x)\n\n"), (FoldedStacks{{command + ";main", 1}}));
  }
  EXPECT_EQ(Folded("error handler cycles: \n\t  10 main (x)\n\n"),
            (FoldedStacks{{"error handler;main", 1}}));
  EXPECT_EQ(FoldPerfScript("a 1 2.0: 5 e: \n\t 10 f (x)\n\nFailed to open /tmp/perf-1.map\n"
                           "\t  10 g (x)\n\n",
                           "x")
                .left_out,
            Texts{"messages: 1, the first in line 4: 'Failed to open /tmp/perf-1.map'"});
}

TEST(FoldPerfScript, NamesTheSamplesWithoutAnEventNextToAnEvent) {
  const StackText read = FoldPerfScript(
      "a 10 cycles:\n\t1 main+0x1 (/bin/a)\n\nb 10\n\t1 main+0x1 (/bin/b)\n", "file");
  ASSERT_EQ(read.events.size(), 2U);
  EXPECT_EQ(read.events[1].event, "(no event)");
}

TEST(FoldPerfScript, CountsSamplesWithAPeriodAbove64Bits) {
  for (const char* const head :
       {"a 1 2.0: 99999999999999999999 cycles: ", "a 1 [000] 99999999999999999999 cycles: "}) {
    const StackText read = FoldPerfScript(
        std::string(head) + "\n\t  10 f (x)\n\n" + "a 1 2.0: 5 cycles: \n\t  10 f (x)\n\n", "x");
    ASSERT_EQ(read.events.size(), 1U) << head;
    EXPECT_EQ(read.events[0].event, "cycles");
    EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"a;f", 5}}));
    EXPECT_EQ(read.left_out, Texts{"samples with a period above 64 bits: 1, the first in line 1"});
  }
}

// The reader may look at the rest of the line once, but not for each word that may be an event.
TEST(FoldPerfScript, ReadsALongLineOfWhatMayBeEvents) {
  std::string line;
  for (int i = 0; i < (tests::kSanitized ? 5'000 : 500'000); ++i) {
    line += "1 x: y ";
  }
  const StackText read = FoldPerfScript(line + "x\nb 1 2.0: 5 e: \n\t  10 f (x)\n", "x");
  EXPECT_EQ(read.events[0].stacks, (FoldedStacks{{"b;f", 5}}));
}

TEST(FoldPerfScript, ReadsTracepointsWithAndWithoutStacks) {
  const std::string event =
      "swapper     0 [003]  9.5: sched:sched_switch: prev_comm=x y prev_pid=12 ==> next_comm=z: 1 "
      "f (x)\n";
  EXPECT_EQ(Folded(event + "\t  10 schedule ([kernel.kallsyms])\n\n" + event + "\n"),
            (FoldedStacks{{"swapper", 1}, {"swapper;schedule", 1}}));
}

TEST(FoldPerfScript, NamesUnknownFramesByTheirModule) {
  EXPECT_EQ(Folded(Data("perf_unknown_in_known_module.perf")),
            (FoldedStacks{{"dot;main;[libcairo.so.2.11600.0]", 1000000},
                          {"dot;main;[libltdl.so.7.3.1]", 1000000}}));
  EXPECT_EQ(NameOf("[unknown] ([unknown])"), "[unknown]");
  EXPECT_EQ(NameOf("[unknown] ([vdso])"), "[vdso]");
  EXPECT_EQ(NameOf("[unknown] (/usr/lib/x.so (deleted))"), "[x.so]");
  EXPECT_EQ(NameOf(" (/usr/lib/x.so)"), "[x.so]");
  EXPECT_EQ(NameOf(""), "0x10");
}

TEST(FoldPerfScript, SplitsModulesFromNamesWhateverTheyContain) {
  EXPECT_EQ(NameOf("main+0x1f (/opt/My App (x86)/bin)"), "main");
  EXPECT_EQ(NameOf("main+0x1f (/opt/odd(/a)"), "main");
  EXPECT_EQ(NameOf("f (inlined)"), "f");
  EXPECT_EQ(NameOf("main+0x1f"), "main");
  EXPECT_EQ(NameOf("run_vcpu ([guest.kernel.kallsyms])"), "run_vcpu");
}

TEST(FoldPerfScript, KeepsNamesOfEachLanguageApart) {
  EXPECT_EQ(
      Folded(Data("perf_go_methods.perf")),
      (FoldedStacks{
          {"go;runtime.goexit;net/http.(*conn).serve;net/http.(*body).Read", 250000},
          {"go;runtime.goexit;net/http.(*conn).serve;net/http.(*liveSwitchReader).Read", 250000}}));
  EXPECT_EQ(NameOf("LazyCompile:~foo /a/b.js:12 (/tmp/perf-1.map)"), "LazyCompile:~foo /a/b.js:12");
  EXPECT_EQ(NameOf("JS:*foo (x) /a b.js (/tmp/perf-1.map)"), "JS:*foo (x) /a b.js");
  EXPECT_EQ(NameOf("py::work:/a b/c.py (/tmp/perf-1.map)"), "py::work:/a b/c.py");
  EXPECT_EQ(NameOf("Ljava/io/File;::read(Lx/Y;)V (/tmp/perf-1.map)"), "java/io/File:::read");
  EXPECT_EQ(NameOf("fiber:ping 3 ([fiber])"), "fiber:ping 3");
  EXPECT_EQ(NameOf("-[NSView drawRect:] (/x)"), "-[NSView drawRect:]");
  EXPECT_EQ(NameOf("foo [clone .isra.0] (/x)"), "foo");
  EXPECT_EQ(NameOf("C::operator()(int) const+0x5 (/x)"), "C::operator_call");
  EXPECT_EQ(NameOf("C::operator->() (/x)"), "C::operator_arrow");
  EXPECT_EQ(NameOf("void (anonymous namespace)::f<int>(int) (/x)"), "{anonymous}::f<int>");
  EXPECT_EQ(NameOf("main::{lambda(int)#1}::operator()(int) const (/x)"), "main::{lambda#1}");
  EXPECT_EQ(NameOf("<T as core::Trait>::f::{{closure}} (/x)"),
            "<T as core::Trait>::f::{{closure}}");
  EXPECT_EQ(NameOf("<fn() -> T as core::Trait>::f (/x)"), "<fn[] => T as core::Trait>::f");
  EXPECT_EQ(NameOf("core::f::h2d4f8260955f00a9+0x10 (/x)"), "core::f::h2d4f8260955f00a9");
  EXPECT_EQ(NameOf("a;b\x1b[31m (/x)"), "a:b\\x1b[31m");
}

TEST(FoldPerfScript, SplitsWhatACompilerOfJavaHasInlined) {
  EXPECT_EQ(NameOf("La/B;::<init>->La/C;::g->La/D;::h+0x3 (/tmp/perf-1.map)"),
            "a/B:::<init>;a/C:::g;a/D:::h");
}

TEST(FoldPerfScript, KeepsFunctionsWithLongNamesApart) {
  EXPECT_EQ(Folded(Data("perf_rust_long_names.perf")).size(), 3u);
  const std::string part(1500, 'x');
  const std::string first = NameOf(part + "1" + part + " (/x)");
  EXPECT_NE(first, NameOf(part + "2" + part + " (/x)"));
  EXPECT_LT(first.size(), 1100u);
  const std::string of_a = NameOf("C<" + part + "a>::f(int) (/x)");
  EXPECT_TRUE(of_a.starts_with("C::f #")) << of_a;
  EXPECT_NE(of_a, NameOf("C<" + part + "b>::f(int) (/x)"));
}

TEST(FoldPerfScript, MarksFramesByTheirModule) {
  const auto mark = [](const std::string& module) {
    const std::string name = FrameNames("10", "f", module).front();
    std::string_view rest = name;
    const char letter = TakeMark(rest);
    EXPECT_EQ(rest, "f");
    return letter == 0 ? std::string() : std::string(1, letter);
  };
  for (const char* const kernel :
       {"[kernel.kallsyms]", "[guest.kernel.kallsyms.12]", "[nf_conntrack]", "/boot/vmlinux-5.4",
        "/lib/modules/5.4/x.ko", "/lib/modules/5.4/x.ko.xz", "bpf_prog_2b95_f"}) {
    EXPECT_EQ(mark(kernel), "k") << kernel;
  }
  for (const char* const jit : {"/tmp/perf-12.map", "/tmp/jitted-1-2.so", "//anon", "[anon:x]",
                                "/memfd:doublemapper (deleted)"}) {
    EXPECT_EQ(mark(jit), "j") << jit;
  }
  EXPECT_EQ(mark("inlined"), "i");
  EXPECT_EQ(mark("/usr/lib/libc.so.6"), "l");
  for (const char* const user : {"/usr/bin/app", "[unknown]", "[fiber]", "[worker]", ""}) {
    EXPECT_EQ(mark(user), "") << user;
  }
}

TEST(FoldPerfScript, RefusesAFileWithoutSamples) {
  try {
    FoldPerfScript("a 1 2.0: PERF_RECORD_COMM: a:1/1\n", "p.txt");
    ADD_FAILURE();
  } catch (const config::InputError& error) {
    EXPECT_STREQ(error.what(), "p.txt: the file has no samples");
  }
}

TEST(IsPerfScript, IsNotSoOfFoldedStacks) {
  EXPECT_FALSE(IsPerfScript("a;b 12\n"));
  EXPECT_FALSE(IsPerfScript("a 12 b: 5\n"));
  EXPECT_FALSE(IsPerfScript("db conn 1 12\nworker 3 4\n"));
  EXPECT_FALSE(IsPerfScript("a;b 12 1.5: x 5\n"));
  EXPECT_FALSE(IsPerfScript(""));
  EXPECT_FALSE(IsPerfScript("# comment\n"));
}

}  // namespace

}  // namespace schedbench::profile::perf_reader_test
