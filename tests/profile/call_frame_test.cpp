#include "profile/sampling/call_frame.hpp"

#include <gtest/gtest.h>

#include <cstdint>

namespace schedbench::profile::call_frame_test {

namespace {

#if defined(__x86_64__)

// Functions with known call frame information; the labels are places in them.
asm(R"(
.pushsection .text
.type schedbench_test_frameless, @function
schedbench_test_frameless:
.cfi_startproc
  nop
  ret
.cfi_endproc
.size schedbench_test_frameless, .-schedbench_test_frameless
.type schedbench_test_framed, @function
schedbench_test_framed:
.cfi_startproc
  push %rbp
.cfi_def_cfa_offset 16
.cfi_offset 6, -16
schedbench_test_pushed:
  mov %rsp, %rbp
.cfi_def_cfa_register 6
schedbench_test_has_frame:
  nop
  pop %rbp
.cfi_remember_state
.cfi_def_cfa 7, 8
schedbench_test_popped:
  ret
.cfi_restore_state
schedbench_test_other_branch:
  nop
  pop %rbp
.cfi_def_cfa 7, 8
  ret
.cfi_endproc
.size schedbench_test_framed, .-schedbench_test_framed
.popsection
)");

extern "C" {
extern const char schedbench_test_frameless[];     // NOLINT(readability-identifier-naming)
extern const char schedbench_test_framed[];        // NOLINT(readability-identifier-naming)
extern const char schedbench_test_pushed[];        // NOLINT(readability-identifier-naming)
extern const char schedbench_test_has_frame[];     // NOLINT(readability-identifier-naming)
extern const char schedbench_test_popped[];        // NOLINT(readability-identifier-naming)
extern const char schedbench_test_other_branch[];  // NOLINT(readability-identifier-naming)
}

std::optional<std::size_t> WordsAt(const char* place) {
  return CallFrames().WordsBelowReturnAddress(reinterpret_cast<std::uintptr_t>(place));
}

TEST(CallFrames, FindTheReturnAddressOfAFunctionWithoutAFrame) {
  EXPECT_EQ(WordsAt(schedbench_test_frameless), 0U);
  EXPECT_EQ(WordsAt(schedbench_test_frameless + 1), 0U);
}

TEST(CallFrames, FindTheReturnAddressBeforeAFrameIsMadeAndAfterItIsRemoved) {
  EXPECT_EQ(WordsAt(schedbench_test_framed), 0U);
  EXPECT_EQ(WordsAt(schedbench_test_pushed), 1U);
  EXPECT_EQ(WordsAt(schedbench_test_popped), 0U);
}

TEST(CallFrames, LeaveAFunctionWithAFrameToItsFramePointer) {
  EXPECT_EQ(WordsAt(schedbench_test_has_frame), std::nullopt);
  EXPECT_EQ(WordsAt(schedbench_test_other_branch), std::nullopt);
}

#elif defined(__aarch64__)

// The return address is in x30 until the frame is made, and again after it is removed.
// The labels are global, because g++ takes their addresses from the global offset table.
asm(R"(
.pushsection .text
.globl schedbench_test_frameless, schedbench_test_framed, schedbench_test_has_frame
.globl schedbench_test_popped, schedbench_test_other_branch
.type schedbench_test_frameless, %function
schedbench_test_frameless:
.cfi_startproc
  nop
  ret
.cfi_endproc
.size schedbench_test_frameless, .-schedbench_test_frameless
.type schedbench_test_framed, %function
schedbench_test_framed:
.cfi_startproc
  stp x29, x30, [sp, #-16]!
.cfi_def_cfa_offset 16
.cfi_offset x29, -16
.cfi_offset x30, -8
  mov x29, sp
schedbench_test_has_frame:
  ldp x29, x30, [sp], #16
.cfi_remember_state
.cfi_restore x30
.cfi_restore x29
.cfi_def_cfa_offset 0
schedbench_test_popped:
  ret
.cfi_restore_state
schedbench_test_other_branch:
  ldp x29, x30, [sp], #16
.cfi_restore x30
.cfi_restore x29
.cfi_def_cfa_offset 0
  ret
.cfi_endproc
.size schedbench_test_framed, .-schedbench_test_framed
.popsection
)");

extern "C" {
extern const char schedbench_test_frameless[];     // NOLINT(readability-identifier-naming)
extern const char schedbench_test_framed[];        // NOLINT(readability-identifier-naming)
extern const char schedbench_test_has_frame[];     // NOLINT(readability-identifier-naming)
extern const char schedbench_test_popped[];        // NOLINT(readability-identifier-naming)
extern const char schedbench_test_other_branch[];  // NOLINT(readability-identifier-naming)
}

std::optional<std::size_t> WordsAt(const char* place) {
  return CallFrames().WordsBelowReturnAddress(reinterpret_cast<std::uintptr_t>(place));
}

TEST(CallFrames, FindTheReturnAddressInTheLinkRegisterWhereThereIsNoFrame) {
  EXPECT_EQ(WordsAt(schedbench_test_frameless), 0U);
  EXPECT_EQ(WordsAt(schedbench_test_framed), 0U);
  EXPECT_EQ(WordsAt(schedbench_test_popped), 0U);
}

TEST(CallFrames, LeaveAFunctionWithAFrameToItsFramePointer) {
  EXPECT_EQ(WordsAt(schedbench_test_has_frame), std::nullopt);
  EXPECT_EQ(WordsAt(schedbench_test_other_branch), std::nullopt);
}

#endif

TEST(CallFrames, KnowNothingOfAnAddressWithoutCode) {
  static int data = 0;
  CallFrames frames;
  for (int i = 0; i < 2; ++i) {  // the second answer is a remembered one
    EXPECT_EQ(frames.WordsBelowReturnAddress(reinterpret_cast<std::uintptr_t>(&data)),
              std::nullopt);
    EXPECT_EQ(frames.WordsBelowReturnAddress(0), std::nullopt);
  }
}

}  // namespace

}  // namespace schedbench::profile::call_frame_test
