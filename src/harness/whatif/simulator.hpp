#pragma once

#include "platform/process/child_process.hpp"
#include "simulation/messages.hpp"

#include <functional>
#include <stdexcept>
#include <string>

namespace schedbench::harness {

// The simulator has failed or gives no answer, or there is none.
class SimulatorError : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The program that simulates (src/simulation/README.md), as a child of this process. Used by one thread.
class Simulator {
 public:
  // `cancelled`: asked some times a second while an answer is waited for. Throws SimulatorError if the program is not there or
  // does not start.
  Simulator(const std::string& program, std::function<bool()> cancelled);

  // Throws SimulatorError if the program was built from another revision than this one.
  void CheckRevision();

  // Each throws SimulatorError.
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
