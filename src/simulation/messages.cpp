#include "simulation/messages.hpp"

#include "config/json_nesting.hpp"

#include <nlohmann/json.hpp>

#include <array>

namespace sim_scaling {

// Defines to_json() and from_json(), which throws if a key is missing.
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Costs, hit, locked, fence, transfer, pause, clock, call, wake,
                                   wake_latency, heavy_fence, task, create, start, resume, sync,
                                   step, fiber_lines)

namespace {

using nlohmann::json;

// Null, which has no members, if the line nests deeper than any message.
json Parsed(const std::string& line) {
  constexpr std::size_t kDeepest = 4;
  return schedbench::config::NestsDeeperThan(line, kDeepest) ? json() : json::parse(line);
}

}  // namespace

std::string ToLine(const SimulatorRequest& request) {
  if (const auto* const simulate = std::get_if<SimulateRequest>(&request)) {
    const GraphRun& run = simulate->run;
    return json{{"request", "simulate"}, {"costs", simulate->costs},   {"graph", run.graph},
                {"open", run.is_open},   {"scheduler", run.scheduler}, {"workers", run.workers},
                {"seed", run.seed},      {"rounds", run.rounds}}
        .dump();
  }
  const bool is_hello = std::holds_alternative<HelloRequest>(request);
  return json{{"request", is_hello ? "hello" : "calibrate"}}.dump();
}

std::string HelloLine(std::string_view revision, bool is_modified) {
  return json{{"reply", "hello"}, {"revision", revision}, {"modified", is_modified}}.dump();
}

std::string ToLine(const Costs& costs) {
  return json{{"reply", "costs"}, {"costs", costs}}.dump();
}

std::string ToLine(const GraphPrediction& prediction) {
  return json{
      {"reply", "prediction"},
      {"makespans_ns", prediction.makespans_ns},
      {"ready_p99_ns", prediction.ready_p99_ns ? json(*prediction.ready_p99_ns) : json(nullptr)},
      {"work", prediction.work},
      {"transfer", prediction.transfer},
      {"search", prediction.search},
      {"idle", prediction.idle}}
      .dump();
}

SimulatorRequest ParseRequest(const std::string& line) {
  const json message = Parsed(line);
  if (message.at("request") == "hello") {
    return HelloRequest{};
  }
  if (message.at("request") == "calibrate") {
    return CalibrateRequest{};
  }
  SimulateRequest request{.costs = message.at("costs").get<Costs>(), .run = {}};
  message.at("graph").get_to(request.run.graph);
  message.at("open").get_to(request.run.is_open);
  message.at("scheduler").get_to(request.run.scheduler);
  message.at("workers").get_to(request.run.workers);
  message.at("seed").get_to(request.run.seed);
  message.at("rounds").get_to(request.run.rounds);
  return request;
}

std::pair<std::string, bool> ParseHello(const std::string& line) {
  const json message = Parsed(line);
  return {message.at("revision").get<std::string>(), message.at("modified").get<bool>()};
}

Costs ParseCosts(const std::string& line) {
  return Parsed(line).at("costs").get<Costs>();
}

GraphPrediction ParsePrediction(const std::string& line) {
  const json message = Parsed(line);
  GraphPrediction prediction;
  message.at("makespans_ns").get_to(prediction.makespans_ns);
  if (const json& ready = message.at("ready_p99_ns"); !ready.is_null()) {
    prediction.ready_p99_ns = ready.get<std::array<double, 3>>();
  }
  message.at("work").get_to(prediction.work);
  message.at("transfer").get_to(prediction.transfer);
  message.at("search").get_to(prediction.search);
  message.at("idle").get_to(prediction.idle);
  return prediction;
}

}  // namespace sim_scaling
