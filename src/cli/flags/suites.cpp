#include "cli/flags/suites.hpp"

#include "base/vector_of.hpp"
#include "cli/flags/names.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"
#include "registry/workload.hpp"

#include <array>

namespace schedbench::cli {

namespace {

// A round takes milliseconds on our own schedulers, and still ends on schedulers that are a hundred
// times slower. It is small, because some schedulers start a thread for each fiber.
constexpr std::array<std::string_view, 4> kSchedulers{
    "pingpong:pairs=8,rounds=200", "yield:fibers=16,yields=1000", "spawn_join:tasks=2000",
    "mutex:sections=200"};

constexpr std::array<std::string_view, 9> kPeerWorkloads{"pingpong:rounds=2000",
                                                         "yield:yields=200",
                                                         "spawn_join:tasks=100000",
                                                         "chained_spawn:chains=200",
                                                         "skynet:leaves=30000",
                                                         "fib",
                                                         "mutex",
                                                         "channel_mpmc",
                                                         "million:fibers=20000"};

std::vector<std::string> WithPreset(std::string_view preset) {
  return PresentOf(registry::Workloads(), [preset](const registry::WorkloadEntry* entry) {
    return FindByName(entry->presets, preset) == nullptr
               ? std::nullopt
               : std::optional(fmt::format("{}:{}={}", entry->name, registry::kPresetKey, preset));
  });
}

}  // namespace

const std::vector<Suite>& Suites() {
  static const std::vector<Suite> suites{
      {"peers",
       "workloads that every foreign runtime supports",
       {kPeerWorkloads.begin(), kPeerWorkloads.end()}},
      {"schedulers",
       "small workloads for all schedulers",
       {kSchedulers.begin(), kSchedulers.end()}},
      {"smoke", "every workload that has a preset smoke: less than 0.2 s for a round",
       WithPreset("smoke")},
      {"small", "every workload that has a preset small: about a second for 20 rounds",
       WithPreset("small")},
      {"full", "every workload that has a preset full: the sizes of their origin, or larger",
       WithPreset("full")}};
  return suites;
}

std::vector<std::string> WorkloadsOfSuite(const std::string& text, const std::string& where,
                                          config::Problems& problems) {
  const std::string name = text.substr(kSuitePrefix.size());
  const Suite* const suite = FindByName(Suites(), name);
  if (suite == nullptr) {
    Reject(problems, where, "unknown suite {}{}    schedbench list suites", config::Quoted(name),
           config::DidYouMean(name, NamesOf(Suites())));
    return {};
  }
  if (suite->workloads.empty()) {
    Reject(problems, where, "no workload of this program is in the suite");
  }
  return suite->workloads;
}

std::vector<std::string> WithoutSuites(const std::vector<std::string>& values, const Flag& flag,
                                       config::Problems& problems) {
  std::vector<std::string> workloads;
  for (const std::string& text : values) {
    if (!text.starts_with(kSuitePrefix)) {
      workloads.push_back(text);
      continue;
    }
    const auto of_suite = WorkloadsOfSuite(text, PlaceOf(flag, text), problems);
    workloads.insert(workloads.end(), of_suite.begin(), of_suite.end());
  }
  return workloads;
}

}  // namespace schedbench::cli
