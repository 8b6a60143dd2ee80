#include "platform/memory/safe_read.hpp"

#include "platform/memory/memory.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace schedbench::platform::safe_read_test {

namespace {

std::uintptr_t AddressOf(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

TEST(SafeRead, CopiesWhatIsThere) {
  const int source = 42;
  int copy = 0;
  EXPECT_TRUE(SafeRead(AddressOf(&source), copy));
  EXPECT_EQ(copy, 42);
}

TEST(SafeRead, RefusesWhatIsNotThereInsteadOfFaulting) {
  int copy = 7;
  EXPECT_FALSE(SafeRead(0, copy));
  EXPECT_FALSE(SafeRead(0x8000'0000'0000'0000, copy));
}

TEST(SafeRead, ReadsAStringUpToTheEndOfThePageThatIsThere) {
  auto* const memory = static_cast<char*>(ReserveMemory(2 * kPageBytes));
  ASSERT_TRUE(InstallGuard(memory + kPageBytes, GuardKind::kProtected));
  std::memset(memory, 'x', kPageBytes);
  std::array<char, 20> text{};
  SafeReadString(AddressOf(memory + kPageBytes - 3), text);
  EXPECT_STREQ(text.data(), "xxx");
  SafeReadString(AddressOf(memory), text);
  EXPECT_STREQ(text.data(), "xxxxxxxxxxxxxxxxxxx");
  SafeReadString(AddressOf("short"), text);
  EXPECT_STREQ(text.data(), "short");
  SafeReadString(0, text);
  EXPECT_STREQ(text.data(), "");
  ReleaseMemory(memory, 2 * kPageBytes);
}

}  // namespace

}  // namespace schedbench::platform::safe_read_test
