// What a program writes to stderr under `top --go`. Any bytes are read, and no line makes a reading
// large.

#include "harness/top/schedtrace.hpp"

#include "tests/fuzz/oracle.hpp"

#include <algorithm>
#include <cstddef>
#include <string_view>

using namespace schedbench;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  harness::SchedtraceParser parser;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    parser.Take(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (const auto reading = parser.Next()) {
      fuzz::Check(reading->workers.size() <= 4096, "a P has a number that a machine can have");
    }
  }
  return 0;
}
