#include "tests/support/tier.hpp"

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace schedbench::tests {

bool FullTier() {
  static const bool full = [] {
    const char* text = std::getenv("SCHEDBENCH_TEST_TIER");
    const std::string_view tier = text == nullptr ? "quick" : text;
    if (tier != "quick" && tier != "full") {
      std::fprintf(stderr, "SCHEDBENCH_TEST_TIER=%s is neither quick nor full\n", text);
      std::exit(2);
    }
    return tier == "full";
  }();
  return full;
}

}  // namespace schedbench::tests
