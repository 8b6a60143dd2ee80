#include "platform/memory/memory.hpp"

#include "base/attributes.hpp"
#include "platform/machine/machine_info.hpp"

#include <gtest/gtest.h>

#include <array>
#include <csignal>
#include <cstddef>

#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

namespace schedbench::platform::memory_test {

namespace {

TEST(ReserveMemory, GivesZeroedMemoryThatTakesNoRamBeforeItIsTouched) {
#if defined(SB_ASAN) || defined(SB_TSAN)
  constexpr std::size_t kBytes = std::size_t{1} << 30U;  // a sanitizer needs the address space
#else
  constexpr std::size_t kBytes = std::size_t{1} << 40U;  // far more than there is
#endif
  auto* memory = static_cast<char*>(ReserveMemory(kBytes));
  ASSERT_NE(memory, nullptr);
  EXPECT_EQ(memory[0], 0);
  EXPECT_EQ(memory[kBytes - 1], 0);
  memory[kBytes - 1] = 1;
  EXPECT_EQ(memory[kBytes - 1], 1);
  ReleaseMemory(memory, kBytes);
}

TEST(ReserveMemory, SaysNoWhereTheSystemRefuses) {
  EXPECT_EQ(ReserveMemory(std::size_t{1} << 60U), nullptr);
}

TEST(MaxMappings, IsAPlausibleLimit) {
  EXPECT_GE(MaxMappings(), 1000U);
}

TEST(InstallGuard, LeavesTheRestOfTheMemoryAsItWas) {
  auto* memory = static_cast<char*>(ReserveMemory(3 * kPageBytes));
  memory[0] = 1;
  memory[3 * kPageBytes - 1] = 3;
  EXPECT_TRUE(InstallGuard(memory + kPageBytes, GuardKind::kProtected));
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[3 * kPageBytes - 1], 3);
  ReleaseMemory(memory, 3 * kPageBytes);
}

// The kernel's own word on whether it can read the page: no fault, so that sanitizers do not mind.
bool IsReadable(const char* page) {
  int ends[2];
  if (pipe(ends) != 0) {
    return false;
  }
  const bool readable = write(ends[1], page, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return readable;
}

TEST(InstallGuard, MakesThePageFault) {
  for (const GuardKind kind : {GuardKind::kProtected, GuardKind::kLightweight}) {
    auto* memory = static_cast<char*>(ReserveMemory(2 * kPageBytes));
    ASSERT_TRUE(IsReadable(memory));
    const bool installed = InstallGuard(memory, kind);
    // Only the lightweight kind may be refused, by a kernel that is older.
    EXPECT_TRUE(installed || kind == GuardKind::kLightweight);
    EXPECT_EQ(IsReadable(memory), !installed);
    EXPECT_TRUE(IsReadable(memory + kPageBytes));
    ReleaseMemory(memory, 2 * kPageBytes);
  }
}

TEST(InstallGuards, MakesEachPageFaultUnlessItIsRefused) {
  auto* memory = static_cast<char*>(ReserveMemory(4 * kPageBytes));
  const bool installed = InstallGuards(std::array<void*, 2>{memory, memory + 2 * kPageBytes});
  for (std::size_t page = 0; page < 4; ++page) {
    EXPECT_EQ(IsReadable(memory + page * kPageBytes), !installed || page % 2 == 1) << page;
  }
  ReleaseMemory(memory, 4 * kPageBytes);
}

TEST(PopulatePages, LeavesMemoryAsItWas) {
  auto* memory = static_cast<char*>(ReserveMemory(2 * kPageBytes));
  memory[0] = 1;
  PopulatePages(std::array<void*, 2>{memory, memory + kPageBytes});
  PopulatePages(std::array<void*, 1>{nullptr});  // the system refuses
  EXPECT_EQ(memory[0], 1);
  EXPECT_EQ(memory[kPageBytes], 0);
  ReleaseMemory(memory, 2 * kPageBytes);
}

TEST(ResidentBytes, GrowsByWhatIsTouched) {
  constexpr std::size_t kPages = 1000;
  auto* memory = static_cast<char*>(ReserveMemory(kPages * kPageBytes));
  const std::uint64_t before = ResidentBytes();
  for (std::size_t i = 0; i < kPages; ++i) {
    memory[i * kPageBytes] = 1;
  }
  EXPECT_GE(ResidentBytes(), before + kPages * kPageBytes * 9 / 10);
  ReleaseMemory(memory, kPages * kPageBytes);
}

TEST(AvailableMemoryBytes, IsSomeOfTheMachines) {
  EXPECT_GT(AvailableMemoryBytes(), 0U);
  EXPECT_LE(*AvailableMemoryBytes(), ThisMachine().memory_bytes);
}

}  // namespace

}  // namespace schedbench::platform::memory_test
