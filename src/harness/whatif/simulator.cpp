#include "harness/whatif/simulator.hpp"

#include "config/quote.hpp"
#include "simulation/messages.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <system_error>
#include <utility>

namespace schedbench::harness {

namespace {

platform::ChildProcess Started(const std::string& program) try {
  return platform::ChildProcess({program});
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
  constexpr std::chrono::milliseconds kLook{50};  // so soon a Ctrl-C is answered
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
                                   config::Escaped(process_.ErrorText(), 500)));
}

template <typename Parse>
auto Simulator::Understood(const std::string& reply, Parse parse) {
  try {
    return parse(reply);
  } catch (const nlohmann::json::exception& error) {
    throw SimulatorError(fmt::format("the simulator's answer is invalid: {}", error.what()));
  }
}

sim_scaling::Costs Simulator::Calibrate() {
  return Understood(Ask(ToLine(sim_scaling::SimulatorRequest(sim_scaling::CalibrateRequest{}))),
                    &sim_scaling::ParseCosts);
}

sim_scaling::GraphPrediction Simulator::Simulate(const sim_scaling::Costs& costs,
                                                 const sim_scaling::GraphRun& run) {
  return Understood(Ask(ToLine(sim_scaling::SimulatorRequest(
                        sim_scaling::SimulateRequest{.costs = costs, .run = run}))),
                    &sim_scaling::ParsePrediction);
}

}  // namespace schedbench::harness
