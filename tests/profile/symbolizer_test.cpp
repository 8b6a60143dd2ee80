#include "profile/symbolizer.hpp"

#include "base/attributes.hpp"
#include "profile/folded.hpp"
#include "profile/sampling/frame_text.hpp"
#include "profile/symbolized_profile.hpp"

#include <gtest/gtest.h>

#include <array>
#include <exception>
#include <string>
#include <vector>

namespace __gnu_cxx {

// A function of the library's namespace that says where it is.
SB_ALWAYS_INLINE std::uintptr_t HereInLibrary() {
  std::uintptr_t address = 0;
#if defined(__x86_64__)
  asm volatile("lea 0(%%rip), %0" : "=r"(address));
#elif defined(__aarch64__)
  asm volatile("adr %0, ." : "=r"(address));
#endif
  return address;
}

}  // namespace __gnu_cxx

namespace schedbench::profile::symbolizer_test {

std::uintptr_t OfLambda();
std::uintptr_t OfWrapper();

namespace {

// Where the calling function is. As the address that a call returns to it is behind the instruction
// that is meant.
SB_ALWAYS_INLINE std::uintptr_t Here() {
  std::uintptr_t address = 0;
#if defined(__x86_64__)
  asm volatile("lea 0(%%rip), %0" : "=r"(address));
#elif defined(__aarch64__)
  asm volatile("adr %0, ." : "=r"(address));
#endif
  return address;
}

SB_NOINLINE std::uintptr_t OfAnonymous() {
  return Here();
}

struct Scope {
  SB_NOINLINE static std::uintptr_t Member() {
    return Here();
  }
};

// The names, innermost first, without that of Here() itself.
std::vector<std::string> Names(std::uintptr_t address) {
  Symbolizer symbolizer;
  std::vector<std::string> names;
  for (const Frame& frame : symbolizer.FramesAt(address, true)) {
    names.push_back(FrameText(frame));
  }
  EXPECT_EQ(names.front(), "Here");
  names.erase(names.begin());
  return names;
}

using Strings = std::vector<std::string>;

TEST(Symbolizer, NamesFunctionsOfItsOwnFileWithTheirScope) {
  EXPECT_EQ(Names(OfAnonymous()),
            (Strings{"schedbench::profile::symbolizer_test::{anonymous}::OfAnonymous"}));
  EXPECT_EQ(Names(Scope::Member()),
            (Strings{"schedbench::profile::symbolizer_test::{anonymous}::Scope::Member"}));
}

TEST(Symbolizer, NamesWhatWasInlinedAndALambda) {
  const auto names = Names(OfLambda());
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0], "{lambda in symbolizer_test.cpp}");
  EXPECT_EQ(names[1], "schedbench::profile::symbolizer_test::OfLambda");
}

TEST(Symbolizer, MarksWhatWasInlinedAndKnowsModuleFileAndOffset) {
  Symbolizer symbolizer;
  const std::uintptr_t address = OfAnonymous();
  const auto& frames = symbolizer.FramesAt(address, true);
  ASSERT_EQ(frames.size(), 2u);
  EXPECT_TRUE(frames[0].is_inlined);
  EXPECT_FALSE(frames[1].is_inlined);
  for (const Frame& frame : frames) {
    EXPECT_TRUE(frame.is_code);
    EXPECT_EQ(frame.address, address);
    EXPECT_TRUE(frame.module.ends_with("/profile_test")) << frame.module;
    EXPECT_TRUE(frame.file.ends_with("symbolizer_test.cpp")) << frame.file;
  }
  EXPECT_EQ(address - frames[1].offset, reinterpret_cast<std::uintptr_t>(&OfAnonymous));
}

TEST(Symbolizer, TakesAReturnAddressForTheCallBeforeIt) {
  Symbolizer symbolizer;
  // The first byte of a function is what the one before it would return to if it ended in a call.
  const auto begin = reinterpret_cast<std::uintptr_t>(&OfAnonymous);
  EXPECT_EQ(FrameText(symbolizer.FramesAt(begin, false).back()),
            "schedbench::profile::symbolizer_test::{anonymous}::OfAnonymous");
  EXPECT_NE(FrameText(symbolizer.FramesAt(begin, true).back()),
            "schedbench::profile::symbolizer_test::{anonymous}::OfAnonymous");
}

TEST(Symbolizer, NamesFunctionsOfLibraries) {
  Symbolizer symbolizer;
  const auto& frames =
      symbolizer.FramesAt(reinterpret_cast<std::uintptr_t>(&std::terminate), false);
  EXPECT_EQ(FrameText(frames.back()), "std::terminate");
}

TEST(Symbolizer, CallsAnAddressWithoutCodeUnknown) {
  Symbolizer symbolizer;
  const auto& frames = symbolizer.FramesAt(0x10, false);
  ASSERT_EQ(frames.size(), 1u);
  EXPECT_EQ(frames[0].name, "[unknown]");
  EXPECT_EQ(frames[0].module, "[unknown]");
}

#if !defined(__clang__)
// With -g1 clang writes the names of inlined functions without their namespaces.

// A sample in what `OfWrapper` inlines.
FoldedStacks FoldedWrapper(InlinedLeaves leaves) {
  StackProfile raw;
  raw.workers.push_back({});
  const FrameId frame = raw.Add({.name = "", .address = OfWrapper()});
  raw.samples.push_back({.weight_ns = 1,
                         .owner = raw.Add({.name = "worker:run", .is_code = false}),
                         .stack = raw.AddStack(std::array{frame})});
  return Fold(Symbolized(raw, Show::kWorker, leaves), {});
}

TEST(Symbolized, FoldsAnInlinedFunctionOfTheStandardLibraryIntoItsCaller) {
  EXPECT_EQ(FoldedWrapper(InlinedLeaves::kFolded).begin()->first,
            "worker:run;schedbench::profile::symbolizer_test::OfWrapper");
  EXPECT_TRUE(
      FoldedWrapper(InlinedLeaves::kShown).begin()->first.ends_with(";__gnu_cxx::HereInLibrary"))
      << FoldedWrapper(InlinedLeaves::kShown).begin()->first;
}

#endif

TEST(Symbolizer, ReturnsTheSameFramesAgain) {
  Symbolizer symbolizer;
  const std::uintptr_t address = OfAnonymous();
  const std::vector<Frame> first = symbolizer.FramesAt(address, true);
  EXPECT_EQ(symbolizer.FramesAt(address, true), first);
  EXPECT_EQ(Symbolizer().FramesAt(address, true), first);
}

}  // namespace

SB_NOINLINE std::uintptr_t OfWrapper() {
  return __gnu_cxx::HereInLibrary();
}

SB_NOINLINE std::uintptr_t OfLambda() {
  const auto lambda = []() __attribute__((always_inline)) { return Here(); };
  return lambda();
}

}  // namespace schedbench::profile::symbolizer_test
