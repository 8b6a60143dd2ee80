#include "harness/whatif/simulator.hpp"

#include "base/last_line.hpp"
#include "config/quote.hpp"
#include "record/type.hpp"
#include "registry/build_info.hpp"

#include <fmt/core.h>

#include <chrono>
#include <string_view>
#include <system_error>
#include <utility>

namespace schedbench::harness {

namespace {

platform::ChildProcess Started(const std::string& program) try {
  // A simulation can take minutes: it must not outlive this program.
  return platform::ChildProcess({program}, {.patience = {}});
} catch (const std::system_error& error) {
  throw SimulatorError(fmt::format("cannot start the simulator: {}", error.what()));
}

}  // namespace

Simulator::Simulator(const std::string& program, std::function<bool()> cancelled)
    : process_(Started(program)),
      cancelled_(std::move(cancelled)) {
}

std::string Simulator::Ask(const std::string& line) {
  using Read = platform::ChildProcess::Read;
  constexpr std::chrono::milliseconds kLook{50};  // a Ctrl-C is answered within this time
  std::string reply;
  if (process_.WriteLine(line)) {
    for (;;) {
      const Read read = process_.ReadLine(reply, kLook);
      if (read == Read::kLine) {
        return reply;
      }
      if (cancelled_()) {
        throw SimulatorError("cancelled");
      }
      if (read != Read::kTimeout) {
        break;
      }
    }
  }
  const platform::ProcessEnd end = process_.Finish(std::chrono::seconds(1));
  throw SimulatorError(fmt::format("the simulator ended with {}: {}", end.Text(),
                                   config::Escaped(LastLine(process_.ErrorText()), 500)));
}

template <typename Reply>
Reply Simulator::Answer(const sim_scaling::SimulatorRequest& request) {
  try {
    auto reply = sim_scaling::ParseReply(Ask(ToLine(request)));
    if (auto* const wanted = std::get_if<Reply>(&reply)) {
      return std::move(*wanted);
    }
    throw SimulatorError("the simulator's answer is of another kind    make simulator");
  } catch (const record::ReadError& error) {
    throw SimulatorError(
        fmt::format("the simulator's answer is invalid: {}    make simulator", error.what()));
  }
}

void Simulator::CheckRevision() {
  const auto [revision, is_modified] = Answer<sim_scaling::HelloReply>(sim_scaling::HelloRequest{});
  const registry::BuildInfo& build = registry::ThisBuild();
  if (revision != build.revision || is_modified != build.modified) {
    const auto shown = [](std::string_view name, bool modified) {
      return config::Escaped(name.substr(0, 12)) + (modified ? " (modified)" : "");
    };
    throw SimulatorError(
        fmt::format("the simulator is of revision {}, this program of {}    make simulator",
                    shown(revision, is_modified), shown(build.revision, build.modified)));
  }
}

sim_scaling::Costs Simulator::Calibrate() {
  return Answer<sim_scaling::CostsReply>(sim_scaling::CalibrateRequest{}).costs;
}

sim_scaling::GraphPrediction Simulator::Simulate(const sim_scaling::Costs& costs,
                                                 const sim_scaling::GraphRun& run) {
  return Answer<sim_scaling::GraphPrediction>(
      sim_scaling::SimulateRequest{.costs = costs, .run = run});
}

}  // namespace schedbench::harness
