#include "registry/build_info.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>

namespace schedbench::registry {

namespace {

TEST(BuildInfo, NamesTheCompilerThatCompiledIt) {
#if defined(__clang__)
  EXPECT_TRUE(ThisBuild().compiler.starts_with("Clang ")) << ThisBuild().compiler;
#else
  EXPECT_TRUE(ThisBuild().compiler.starts_with("GNU ")) << ThisBuild().compiler;
#endif
}

TEST(BuildInfo, NamesTheSanitizerItRunsUnder) {
#if defined(__SANITIZE_ADDRESS__)
  EXPECT_EQ(ThisBuild().sanitizer, "address");
#elif defined(__SANITIZE_THREAD__)
  EXPECT_EQ(ThisBuild().sanitizer, "thread");
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer)
  EXPECT_EQ(ThisBuild().sanitizer, "thread");
#elif __has_feature(address_sanitizer)
  EXPECT_EQ(ThisBuild().sanitizer, "address");
#else
  EXPECT_EQ(ThisBuild().sanitizer, "none");
#endif
#else
  EXPECT_EQ(ThisBuild().sanitizer, "none");
#endif
}

TEST(BuildInfo, HasTheFlagsOfTheBuildTypeAndOfTheProject) {
  EXPECT_NE(ThisBuild().flags.find("-O"), std::string_view::npos) << ThisBuild().flags;
  EXPECT_NE(ThisBuild().flags.find("-fno-omit-frame-pointer"), std::string_view::npos)
      << ThisBuild().flags;
  EXPECT_EQ(ThisBuild().flags.find("SHELL:"), std::string_view::npos) << ThisBuild().flags;
}

TEST(BuildInfo, HasAWholeRevisionOrSaysUnknown) {
  const std::string_view revision = ThisBuild().revision;
  const bool is_hash = revision.size() == 40 && std::ranges::all_of(revision, [](unsigned char c) {
                         return std::isxdigit(c) != 0;
                       });
  EXPECT_TRUE(is_hash || revision == "unknown") << revision;
}

TEST(BuildInfo, LeavesNoFactEmpty) {
  const BuildInfo& build = ThisBuild();
  for (const std::string_view fact :
       {build.version, build.build_type, build.allocator, build.boost_version, build.fmt_version}) {
    EXPECT_FALSE(fact.empty());
    EXPECT_EQ(fact.find('@'), std::string_view::npos) << fact;
  }
}

}  // namespace

}  // namespace schedbench::registry
