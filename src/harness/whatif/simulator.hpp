#pragma once

#include "platform/process/child_process.hpp"
#include "simulation/messages.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace schedbench::harness {

// The simulator has failed, gives no answer or is missing.
class SimulatorError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program that simulates (src/simulation/README.md), as a child process. One thread uses it.
class Simulator {
 public:
  // `cancelled`: asked some times a second during a wait for an answer. Throws SimulatorError if
  // the program is missing or does not start.
  Simulator(const std::string& program, std::function<bool()> cancelled);

  // Throws SimulatorError if the program was built from another revision than this one.
  void CheckRevision();

  // Each function throws SimulatorError.
  sim_scaling::Costs Calibrate();
  sim_scaling::GraphPrediction Simulate(const sim_scaling::Costs& costs,
                                        const sim_scaling::GraphRun& run);

 private:
  std::string Ask(const std::string& line);
  template <typename Reply>
  Reply Answer(const sim_scaling::SimulatorRequest& request);

  platform::ChildProcess process_;
  const std::function<bool()> cancelled_;
};

}  // namespace schedbench::harness
