// Stacks of other tools: text of perf script, folded stacks, gzip. What is accepted is the same
// when it is printed as folded stacks and read again; what is refused has a message.

#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "platform/files/gzip.hpp"
#include "platform/files/input_file.hpp"
#include "profile/folded_reader.hpp"
#include "profile/graph_page.hpp"
#include "profile/stack_text.hpp"
#include "tests/fuzz/oracle.hpp"

#include <cstddef>
#include <cstdint>
#include <string>

using namespace schedbench;

namespace {

void CheckStacks(const profile::EventStacks& event, std::uint64_t scale) {
  fuzz::Check(!event.stacks.empty(), "an event has stacks");
  std::string text;
  for (const auto& [stack, weight] : event.stacks) {
    fuzz::Check(config::IsPrintable(stack), "a stack can be printed");
    text += stack + " " + profile::WeightText(weight, scale) + "\n";
  }
  profile::PageJson({.title = "",
                     .facts = {},
                     .graphs = {{.name = event.event,
                                 .about = "",
                                 .unit = event.unit,
                                 .stacks = event.stacks,
                                 .before = event.before,
                                 .scale = scale}}});
  if (event.before || text.starts_with('#') || text.find("\n#") != std::string::npos) {
    return;
  }
  const profile::StackText again = profile::ParseFolded(text, "again");
  fuzz::Check(again.events.front().before.has_value() ||
                  again.events.front().stacks.size() == event.stacks.size(),
              "printed, it has the same stacks");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  constexpr std::size_t kLargest = 1 << 20;
  std::string text(reinterpret_cast<const char*>(data), size);
  try {
    text = platform::IsGzip(text) ? platform::Inflated(text, kLargest) : text;
    const profile::StackText stacks = profile::ReadStackText(text, "fuzz.txt");
    fuzz::Check(!stacks.events.empty(), "what is accepted has stacks");
    for (const profile::EventStacks& event : stacks.events) {
      CheckStacks(event, stacks.scale);
    }
  } catch (const config::InputError& error) {
    fuzz::Check(std::string_view(error.what()).starts_with("fuzz.txt"), "a refusal names the file");
    fuzz::Check(config::IsPrintable(error.what()), "a refusal can be printed");
  } catch (const platform::ReadError& error) {
    fuzz::Check(error.what()[0] != '\0', "a refusal has a reason");
  }
  return 0;
}
