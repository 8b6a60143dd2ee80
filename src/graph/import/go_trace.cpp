#include "graph/import/go_trace.hpp"

#include "graph/graph_file.hpp"
#include "graph/import/go_formats.hpp"

#include <fmt/core.h>

#include <charconv>
#include <system_error>

namespace schedbench::graph {

namespace {

constexpr std::string_view kBegin = "go 1.";

// Returns the NN of "go 1.NN trace"; 0 for other bytes.
unsigned MinorVersion(std::string_view bytes) {
  unsigned version = 0;
  if (bytes.size() < kGoHeaderBytes || !bytes.starts_with(kBegin)) {
    return 0;
  }
  const std::string_view rest = bytes.substr(kBegin.size(), kGoHeaderBytes - kBegin.size());
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), version);
  const auto digits = static_cast<std::size_t>(end - rest.data());
  return error == std::errc() && rest.substr(digits).starts_with(" trace") ? version : 0;
}

}  // namespace

bool IsGoTrace(std::string_view bytes) {
  return MinorVersion(bytes) > 0;
}

TaskGraph ReadGoTrace(std::string_view bytes) {
  const unsigned version = MinorVersion(bytes);
  if (version == 0) {
    throw FormatError("this is not a Go trace: it does not begin with \"go 1.19 trace\"");
  }
  // Programs of a version in between write the format of the older one.
  switch (version) {
    case 11:
    case 19:
    case 21:
      return ReadGoTrace111(bytes);
    case 22:
    case 23:
    case 25:
    case 26:
      return ReadGoTrace122(bytes);
    default:
      throw FormatError(
          fmt::format("the format of this trace is that of go 1.{}; the formats of go 1.11, 1.19, "
                      "1.21, 1.22, 1.23, 1.25 and 1.26 are read",
                      version));
  }
}

}  // namespace schedbench::graph
