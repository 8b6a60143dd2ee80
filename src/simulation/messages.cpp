#include "simulation/messages.hpp"

#include "record/message.hpp"

#include <array>

namespace sim_scaling {

namespace record = schedbench::record;

namespace {

// The names are in the order of SimulatorRequest and SimulatorReply.
constexpr std::array<std::string_view, 3> kRequestKinds{"hello", "calibrate", "simulate"};
constexpr std::array<std::string_view, 3> kReplyKinds{"hello", "costs", "prediction"};

constexpr std::size_t kDeepestMessage = 4;

constexpr auto kRequests = record::Requests(kRequestKinds, kDeepestMessage);
constexpr auto kReplies = record::Replies(kReplyKinds, kDeepestMessage, true);

}  // namespace

record::Of<Costs> RecordOf(const Costs* /*type*/) {
  using T = Costs;
  return {
      "Costs",
      {{"hit", &T::hit, "An access to a line that the core holds"},
       {"locked", &T::locked, "A read-modify-write of such a line"},
       {"fence", &T::fence, "A full fence"},
       {"transfer", &T::transfer, "A line moves to another core"},
       {"pause", &T::pause, "A pause of a spin"},
       {"clock", &T::clock, "A reading of the clock"},
       {"call", &T::call, "A futex or yield call that neither blocks nor wakes"},
       {"wake", &T::wake, "The call that wakes a thread, for its caller"},
       {"wake_latency", &T::wake_latency, "From that call until the woken thread runs"},
       {"heavy_fence", &T::heavy_fence,
        "membarrier(2), for its caller, if one other core runs a thread"},
       {"interrupt", &T::interrupt, "membarrier(2), for each of the other cores"},
       {"task", &T::task, "To submit, pick and run a plain task"},
       {"create", &T::create, "To allocate a fiber"},
       {"start", &T::start, "To submit, pick, run and free a fiber"},
       {"resume", &T::resume,
        "To submit and pick a suspended fiber, and switch to it: a stack that its core "
        "has used 8, 128, 2048 and 32768 turns ago"},
       {"sync", &T::sync, "An operation of a channel"},
       {"fork", &T::fork, "To fork a call, and make it at the join"},
       {"step", &T::step, "What a step of a replay takes in addition; may be negative"},
       {"fiber_lines", &T::fiber_lines, "Not a time: lines that move with a fiber to another core"},
       {"cluster", &T::cluster, "Not a time: cores that share a cache; 0: all of them"},
       {"far", &T::far, "Not a time: how much longer a transfer between clusters takes"},
       {"readers_queue", &T::readers_queue, "A line serves a reader, then the next one"},
       {"interrupt_core", &T::interrupt_core, "What each further core adds to heavy_fence"}}};
}

record::Of<GraphRun> RecordOf(const GraphRun* /*type*/) {
  using T = GraphRun;
  return {"GraphRun",
          {{"graph", &T::graph, "A file"},
           {"open", &T::is_open, "Whether the replay is an open loop"},
           {"scheduler", &T::scheduler, "With its settings"},
           {"workers", &T::workers, "How many"},
           {"seed", &T::seed, "Of all random choices"},
           {"rounds", &T::rounds, "How many"}}};
}

record::Of<SimulateRequest> RecordOf(const SimulateRequest* /*type*/) {
  using T = SimulateRequest;
  return {"SimulateRequest",
          {{"costs", &T::costs, "Of the simulated machine"}, {record::kInline, &T::run, ""}}};
}

record::Of<HelloReply> RecordOf(const HelloReply* /*type*/) {
  using T = HelloReply;
  return {"HelloReply",
          {{"revision", &T::revision, "Of the source"},
           {"modified", &T::is_modified, "Whether files differed from it"}}};
}

record::Of<CostsReply> RecordOf(const CostsReply* /*type*/) {
  return {"CostsReply", {{"costs", &CostsReply::costs, "Of this machine"}}};
}

record::Of<GraphPrediction> RecordOf(const GraphPrediction* /*type*/) {
  using T = GraphPrediction;
  return {"GraphPrediction",
          {{"makespans_ns", &T::makespans_ns, "Of the rounds"},
           {"ready_p99_ns", &T::ready_p99_ns,
            "99th percentile of the time in queues, and its interval"},
           {"work", &T::work, "Share of the time of all workers"},
           {"transfer", &T::transfer, "Share: memory moves between cores"},
           {"search", &T::search, "Share: workers look for work"},
           {"idle", &T::idle, "Share: workers are parked"}}};
}

std::string ToLine(const SimulatorRequest& request) {
  return record::ToLine(kRequests, request);
}

std::string ToLine(const SimulatorReply& reply) {
  return record::ToLine(kReplies, reply);
}

SimulatorRequest ParseRequest(std::string_view line) {
  return record::FromLine<SimulatorRequest>(kRequests, line);
}

SimulatorReply ParseReply(std::string_view line) {
  return record::FromLine<SimulatorReply>(kReplies, line);
}

}  // namespace sim_scaling
