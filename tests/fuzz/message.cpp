// A line that an agent or its caller sends: 'q' and a request, or 'p' and a reply. What is accepted
// is the same when it is written and read again, and what is refused has a message.

#include "harness/agent/message.hpp"

#include "harness/agent/agreement.hpp"
#include "tests/fuzz/oracle.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

using namespace schedbench;

namespace {

void CheckWritten(const harness::AgentRequest& request) {
  const std::string line = harness::ToLine(request);
  fuzz::Check(harness::ToLine(harness::ParseRequest(line)) == line, "a request is the same again");
}

void CheckWritten(const harness::AgentReply& reply) {
  const std::string line = harness::ToLine(reply);
  fuzz::Check(line.find('\n') == std::string::npos, "a message is one line");
  fuzz::Check(harness::ToLine(harness::ParseReply(line)) == line, "a reply is the same again");
  if (const auto* const open = std::get_if<harness::OpenReply>(&reply)) {
    fuzz::Check(harness::DifferenceOfParameters(open->parameters, open->parameters).empty(),
                "parameters are those that are in effect");
    fuzz::Check(harness::ChangedSettings(open->config, open->config).empty(),
                "settings are those that are in effect");
    harness::ChangedSettings(open->parameters, open->config);
    harness::ChangedSettings(open->config, open->parameters);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  if (size == 0) {
    return 0;
  }
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    if (text.front() == 'q') {
      CheckWritten(harness::ParseRequest(text.substr(1)));
    } else {
      CheckWritten(harness::ParseReply(text.substr(1)));
    }
  } catch (const harness::ProtocolError& error) {
    fuzz::Check(*error.what() != '\0', "a refusal has a message");
  }
  return 0;
}
