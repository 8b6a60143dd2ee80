#include "harness/load/load.hpp"

#include "base/atomic.hpp"
#include "base/random.hpp"
#include "config/quote.hpp"
#include "harness/agent/agreement.hpp"
#include "harness/agent/client.hpp"
#include "platform/threads/thread.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <exception>
#include <memory>
#include <utility>

namespace schedbench::harness {

namespace {

using std::chrono::nanoseconds;
using std::chrono::seconds;

// Connections to a server that does not answer are given up after 20 s.
constexpr seconds kOpeningLimit{60};
// Time between ready agents and the first request: longer than a request takes to reach an agent.
constexpr std::chrono::milliseconds kLeadTime{500};
// Limit of the wait for the last answers, see workloads/echo_open.cpp.
constexpr seconds kDrainTime{20};
// Limit of a reply of an agent on a busy machine.
constexpr seconds kReplyLimit{30};

constexpr seconds kEndLimit{10};

constexpr std::size_t kShownText = 1000;  // characters of a text of an agent; arbitrary

std::uint64_t After(std::uint64_t now_ns, nanoseconds time) {
  return now_ns + static_cast<std::uint64_t>(time.count());
}

// Returns the port of an address such as "0.0.0.0:41713".
std::string PortOf(const std::string& address) {
  return address.substr(address.rfind(':') + 1);
}

class LoadRun {
 public:
  LoadRun(const LoadPlan& plan, const LoadEvents& events)
      : plan_(plan),
        events_(events),
        without_clients_(plan.servers.size()),
        clients_left_(plan.servers.size()) {
    data_.servers.resize(plan.servers.size());
    servers_.resize(plan.servers.size());
    data_.generators.resize(plan.generators.size());
    agents_.resize(plan.generators.size());
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      clients_left_[ServerOf(plan, i)].FetchAdd(1, memory_order_relaxed);
    }
  }

  LoadData Measure() {
    events_.progress("starting the servers");
    Together(servers_.size(), [this](std::size_t i) {
      Guard(data_.servers[i].part, plan_.servers[i], servers_[i], [&] { OpenServer(i); });
    });
    MarkGeneratorsWithoutServer();
    {
      const std::uint64_t end_ns = After(platform::NowNs(), ServerTime());
      Atomic<std::size_t> serving(servers_.size());  // relaxed: data is read after the joins
      std::vector<platform::Thread> threads;
      for (std::size_t i = 0; i < servers_.size(); ++i) {
        threads.emplace_back("server-" + std::to_string(i), [this, i, end_ns, &serving] {
          Guard(data_.servers[i].part, plan_.servers[i], servers_[i], [&] { Serve(i, end_ns); });
          serving.FetchSub(1, memory_order_relaxed);
        });
      }
      MeasureGenerators();
      WaitWhile([&serving] { return serving.Load(memory_order_relaxed) > 0; });
    }
    data_.complete = !cancelled_.Load(memory_order_relaxed);
    return std::move(data_);
  }

 private:
  // Returns the longest time of the server: the generators open, wait, send and are answered.
  nanoseconds ServerTime() const {
    return 2 * kOpeningLimit + kLeadTime + plan_.duration + kDrainTime;
  }

  void MarkGeneratorsWithoutServer() {
    for (std::size_t i = 0; i < agents_.size(); ++i) {
      if (!data_.servers[ServerOf(plan_, i)].part.failure.empty()) {
        data_.generators[i].part.failure = "there is no server";
        data_.generators[i].part.refused = true;
      }
    }
  }

  void MeasureGenerators() {
    events_.progress("starting the generators");
    Together(agents_.size(), [this](std::size_t i) {
      Guard(data_.generators[i].part, plan_.generators[i], agents_[i], [&] { OpenGenerator(i); });
    });
    EndServersWithoutClients();
    is_sending_.Store(!cancelled_.Load(memory_order_relaxed), memory_order_relaxed);
    start_ns_ = After(platform::NowNs(), kLeadTime);
    const auto send = [this](std::size_t i) {
      Guard(data_.generators[i].part, plan_.generators[i], agents_[i], [&] { Send(i); });
      clients_left_[ServerOf(plan_, i)].FetchSub(1, memory_order_relaxed);
    };
    Together(agents_.size(), send, [this] { ShowSending(); });
    events_.progress("waiting for the servers");
  }

  // Shows "sending: 3 of 30 s" once a second. The main thread calls it.
  void ShowSending() {
    constexpr std::uint64_t kSecondNs = 1'000'000'000;
    const std::uint64_t now = platform::NowNs();
    const std::uint64_t passed = now > start_ns_ ? (now - start_ns_) / kSecondNs : 0;
    const double of = std::chrono::duration<double>(plan_.duration).count();
    if (shown_s_ != passed && static_cast<double>(passed) <= of) {
      shown_s_ = passed;
      events_.progress(fmt::format("sending: {} of {:g} s", passed, of));
    }
  }

  // Ends servers to which no connection will come any more.
  void EndServersWithoutClients() {
    for (std::size_t server = 0; server < servers_.size(); ++server) {
      bool any = false;
      for (std::size_t i = 0; i < agents_.size(); ++i) {
        any = any || (ServerOf(plan_, i) == server && data_.generators[i].part.opened);
      }
      without_clients_[server].Store(!any, memory_order_relaxed);
    }
  }

  // Does `work` for each number on its own thread. Waits for all, and calls `look` while it waits.
  template <typename F>
  void Together(std::size_t count, F work, const std::function<void()>& look = [] {}) {
    Atomic<std::size_t> at_work(count);  // relaxed: data is read after the joins
    std::vector<platform::Thread> threads;
    for (std::size_t i = 0; i < count; ++i) {
      threads.emplace_back("load-" + std::to_string(i), [&at_work, &work, i] {
        work(i);
        at_work.FetchSub(1, memory_order_relaxed);
      });
    }
    WaitWhile([&at_work, &look] {
      look();
      return at_work.Load(memory_order_relaxed) > 0;
    });
  }

  // Checks for an interruption during the wait. The main thread calls it.
  template <typename F>
  void WaitWhile(F is_at_work) {
    while (is_at_work()) {
      platform::SleepUntilNs(platform::NowNs() + kLookNs);
      if (events_.cancelled()) {
        cancelled_.Store(true, memory_order_relaxed);
      }
    }
  }

  // An interruption while requests are sent ends the rounds instead.
  std::function<bool()> Cancelled() const {
    return [this] {
      return cancelled_.Load(memory_order_relaxed) && !is_sending_.Load(memory_order_relaxed);
    };
  }

  // A failure of one part leaves a hole.
  template <typename F>
  void Guard(LoadPart& part, const PlacePtr& place, std::unique_ptr<AgentClient>& agent, F work) {
    if (!part.failure.empty()) {
      return;
    }
    try {
      work();
      return;
    } catch (const AgentCancelled&) {
      part.failure =
          cancelled_.Load(memory_order_relaxed) ? "interrupted" : "no generator has reached it";
      part.refused = true;
    } catch (const AgentLimit& limit) {
      part.failure = limit.what();
      part.refused = true;
    } catch (const AgentLost& lost) {
      Explain(part, place, lost);
    } catch (const AgentRefused& refused) {
      part.failure = config::Escaped(refused.what(), kShownText);
      part.refused = refused.Reply().kind != ErrorReply::Kind::kFailed;
    } catch (const std::exception& error) {
      part.failure = error.what();  // not enough memory for the latencies here
      part.refused = true;
    }
    agent.reset();
  }

  void Explain(LoadPart& part, const PlacePtr& place, const AgentLost& lost) const {
    try {
      const Loss loss =
          ExplainLoss(place, lost, [this] { return cancelled_.Load(memory_order_relaxed); });
      part.failure = loss.text;
      part.refused = loss.of != Loss::Of::kAgent;
    } catch (const AgentCancelled&) {
      part.failure = lost.what();
    }
  }

  std::unique_ptr<AgentClient> Opened(LoadPart& part, const PlacePtr& place,
                                      const Alternative& alternative, OpenRequest request,
                                      const std::function<bool()>& cancelled) {
    auto agent = StartAt(place, alternative.command, cancelled);
    request.scheduler = alternative.scheduler;
    request.config = alternative.config;
    request.workload = std::string(plan_.workload->name);
    request.parameters = plan_.parameters;
    part.opened = agent->Ask<OpenReply>(request, kOpeningLimit);
    if (const std::string difference =
            DifferenceOfParameters(plan_.parameters, part.opened->parameters);
        !difference.empty()) {
      throw AgentLost(difference);
    }
    part.clock = MeasureClock(*agent);
    return agent;
  }

  void OpenServer(std::size_t i) {
    servers_[i] = Opened(data_.servers[i].part, plan_.servers[i], plan_.server,
                         {.seed = plan_.seed, .half = "server", .address = plan_.listen},
                         [this, i] { return IsServerCancelled(i); });
  }

  bool IsServerCancelled(std::size_t i) const {
    return Cancelled()() || without_clients_[i].Load(memory_order_relaxed);
  }

  // Waits until all generators of a server have finished or are lost. Throws AgentCancelled.
  void AwaitClients(std::size_t server) const {
    while (clients_left_[server].Load(memory_order_relaxed) > 0) {
      if (IsServerCancelled(server)) {
        throw AgentCancelled("cancelled");
      }
      platform::SleepUntilNs(platform::NowNs() + kLookNs);
    }
  }

  void Serve(std::size_t i, std::uint64_t end_ns) {
    Server& server = data_.servers[i];
    const RoundRequest request{.name = "the load", .end_ns = TimeThere(*server.part.clock, end_ns)};
    AgentClient& agent = *servers_[i];
    agent.Send(request);
    AwaitClients(i);
    agent.Send(LatenciesRequest{});  // ends the round
    RoundReply round = agent.Receive<RoundReply>(kReplyLimit);
    server.cpu_ns = agent.Receive<LatenciesReply>(kReplyLimit).cpu_ns;
    server.part.round = std::move(round);
    End(agent, server.part);
  }

  void OpenGenerator(std::size_t i) {
    const std::size_t server = ServerOf(plan_, i);
    const std::string port = PortOf(data_.servers[server].part.opened->address);
    agents_[i] = Opened(data_.generators[i].part, plan_.generators[i], plan_.clients,
                        {.seed = DeriveSeed(plan_.seed, i),
                         .half = "clients",
                         .address = fmt::format("{}:{}", plan_.reach[server], port)},
                        Cancelled());
  }

  void Send(std::size_t i) {
    Generator& generator = data_.generators[i];
    AgentClient& agent = *agents_[i];
    // With constant arrivals, the requests of all generators are equally spaced.
    const auto shift = static_cast<std::uint64_t>(1e9 * static_cast<double>(i) / plan_.rate);
    const RoundRequest request{.name = "the load",
                               .start_ns = TimeThere(*generator.part.clock, start_ns_ + shift)};
    agent.Send(request);
    RoundReply round = RoundOfGenerator(agent);
    generator.delay_ns = Values(agent, "delay", generator);
    generator.latency_ns = Values(agent, "latency", generator);
    generator.part.round = std::move(round);
    End(agent, generator.part);
  }

  // Waits for the reply to a round; ends the round early at an interruption.
  RoundReply RoundOfGenerator(AgentClient& agent) const {
    constexpr std::chrono::milliseconds kLook{50};
    const std::uint64_t latest =
        After(platform::NowNs(), kLeadTime + plan_.duration + kDrainTime + kReplyLimit);
    while (!agent.AwaitReply(kLook) && platform::NowNs() < latest) {
      if (cancelled_.Load(memory_order_relaxed)) {
        agent.Send(ClockRequest{});  // any request ends it
        auto round = agent.Receive<RoundReply>(kDrainTime + kReplyLimit);
        agent.Receive<ClockReply>(kReplyLimit);
        return round;
      }
    }
    return agent.Receive<RoundReply>(nanoseconds::zero());
  }

  std::vector<std::uint64_t> Values(AgentClient& agent, const std::string& of,
                                    Generator& generator) const {
    std::vector<std::uint64_t> values;
    for (;;) {
      auto reply =
          agent.Ask<LatenciesReply>(LatenciesRequest{.of = of, .from = values.size()}, kReplyLimit);
      if (reply.total > plan_.requests || reply.unanswered > plan_.requests ||
          values.size() + reply.values.size() > plan_.requests) {
        throw AgentLost(fmt::format(
            "the agent reports more than the {} requests that it was to send", plan_.requests));
      }
      if (!values.empty() && !reply.values.empty() && reply.values.front() < values.back()) {
        throw AgentLost("the agent's latencies do not ascend");
      }
      values.insert(values.end(), reply.values.begin(), reply.values.end());
      generator.unanswered = reply.unanswered;
      generator.span_ns = reply.span_ns;
      generator.part.trouble = config::Escaped(reply.trouble, kShownText);
      if (values.size() >= reply.total) {
        return values;
      }
      if (reply.values.empty()) {
        throw AgentLost("the agent does not send all of its latencies");
      }
    }
  }

  // The part has its result: a failure now does not leave a hole.
  static void End(AgentClient& agent, LoadPart& part) {
    try {
      part.clock_after = MeasureClock(agent);
      agent.Ask<CloseReply>(CloseRequest{}, kReplyLimit);
      agent.End(kEndLimit);
    } catch (const AgentLost& lost) {
      part.trouble =
          part.trouble.empty() ? fmt::format("after the load: {}", lost.what()) : part.trouble;
    }
  }

  static constexpr std::uint64_t kLookNs = 5'000'000;  // arbitrary: short compared with a process

  const LoadPlan& plan_;
  const LoadEvents& events_;
  LoadData data_;
  std::vector<std::unique_ptr<AgentClient>> servers_;
  std::vector<std::unique_ptr<AgentClient>> agents_;
  std::uint64_t start_ns_ = 0;
  std::optional<std::uint64_t> shown_s_;  // last second that ShowSending() showed
  Atomic<bool> cancelled_{false};         // relaxed: only the flag itself is needed
  // All generators have begun their rounds without an interruption. relaxed: only the flag is used.
  Atomic<bool> is_sending_{false};
  // One entry for each server: no generator has connected to it; number of unfinished generators.
  std::vector<Atomic<bool>> without_clients_;      // relaxed: only the flags are needed
  std::vector<Atomic<std::size_t>> clients_left_;  // relaxed: only the numbers are needed
};

}  // namespace

LoadData MeasureLoad(const LoadPlan& plan, const LoadEvents& events) {
  return LoadRun(plan, events).Measure();
}

}  // namespace schedbench::harness
