// Config files: any bytes, read as a config of each scheduler. What is accepted is inside its
// limits and survives being printed and read again; what is refused says what is wrong and where.

#include "cli/flags/config_file.hpp"
#include "config/apply_json.hpp"
#include "registry/scheduler.hpp"
#include "tests/fuzz/oracle.hpp"

#include <cstddef>
#include <string>

using namespace schedbench;

extern "C" int LLVMFuzzerTestOneInput(const unsigned char* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  config::Problems problems;
  const auto document = config::JsonDocument::Parse(text, "fuzz.json", problems);
  if (!document) {
    fuzz::CheckNamesWhatIsWrong(problems, "fuzz.json");
    return 0;
  }
  // As `run` does, which finds the scheduler by the config itself...
  config::Problems named = problems;
  if (const registry::SchedulerEntry* entry = cli::SchedulerOf(*document, named)) {
    config::Settings settings(entry->schema());
    cli::ApplyConfig(*document, settings, named);
    fuzz::CheckInsideLimits(settings);
    if (named.empty()) {
      cli::Finish(settings, named);
    }
  }
  if (!named.empty()) {
    fuzz::CheckNamesWhatIsWrong(named, "fuzz.json");
  }
  // ... and as if it were meant for each of them.
  for (const registry::SchedulerEntry* entry : registry::Schedulers()) {
    config::Problems found;
    config::Settings settings(entry->schema());
    config::ApplyJson(*document, document->Root(), settings, found, {"scheduler"});
    fuzz::CheckInsideLimits(settings);
    fuzz::CheckSurvivesRoundTrip(settings);
    if (!found.empty()) {
      fuzz::CheckNamesWhatIsWrong(found, "fuzz.json");
    }
  }
  return 0;
}
