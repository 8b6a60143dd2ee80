#include "harness/agent/serve.hpp"

#include "base/stable_sort.hpp"
#include "base/text.hpp"
#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "config/settings.hpp"
#include "config/settings_json.hpp"
#include "config/suggest.hpp"
#include "harness/agent/place.hpp"
#include "harness/live_run.hpp"
#include "harness/session.hpp"
#include "metrics/metric_list.hpp"
#include "platform/files/file.hpp"
#include "platform/files/file_checksum.hpp"
#include "platform/machine/machine_info.hpp"
#include "platform/time/clock.hpp"
#include "registry/runtime.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <utility>
#include <vector>

namespace schedbench::harness {

namespace {

std::vector<std::string_view> WorkloadNames() {
  return VectorOf<std::string_view>(registry::Workloads(), [](auto entry) { return entry->name; });
}

template <typename Entry>
const Entry* Known(const Entry* entry, std::string_view what, const std::string& name,
                   const std::vector<std::string_view>& names) {
  if (entry == nullptr) {
    throw AgentRefused({.kind = ErrorReply::Kind::kUnsupported,
                        .message = fmt::format("unknown {} {}{}", what, config::Quoted(name),
                                               config::DidYouMean(name, names))});
  }
  return entry;
}

RunPlan PlanOf(const OpenRequest& open) {
  const auto& scheduler = *Known(registry::FindScheduler(open.scheduler), "scheduler",
                                 open.scheduler, registry::SchedulerNames());
  const auto& workload =
      *Known(registry::FindWorkload(open.workload), "workload", open.workload, WorkloadNames());
  if (!open.half.empty() && workload.make_half == nullptr) {
    throw AgentRefused(
        {.kind = ErrorReply::Kind::kInput,
         .message = fmt::format("{} cannot be divided into clients and a server", workload.name)});
  }
  config::Problems problems;
  config::Settings config =
      config::SettingsFromJson(scheduler.schema(), open.config, "config", problems);
  const config::Settings parameters =
      config::SettingsFromJson(workload.schema(), open.parameters, "parameters", problems);
  if (problems.empty()) {
    registry::ResolveWorkers(config);
    config::CheckRules(config, problems);
    config::CheckRules(parameters, problems);
  }
  if (!problems.empty()) {
    auto details = VectorOf(problems.List(), [](const auto& problem) {
      return fmt::format("{} {}: {}", problem.where, problem.path, problem.message);
    });
    throw AgentRefused(
        {.kind = ErrorReply::Kind::kInput, .message = details.front(), .details = details});
  }
  return {.scheduler = &scheduler,
          .config = std::move(config),
          .workload = &workload,
          .parameters = parameters,
          .rounds = 1,
          .warmup = 0,
          .seed = open.seed,
          .timeout = open.timeout,
          .half = open.half.empty() ? std::nullopt
                                    : std::optional(HalfPlan{.half = open.half == "server"
                                                                         ? registry::Half::kServer
                                                                         : registry::Half::kClients,
                                                             .address = open.address})};
}

HelloReply Hello() {
  const registry::RuntimeInfo& runtime = registry::Runtime();
  HelloReply hello{.runtime = std::string(runtime.name),
                   .version = std::string(runtime.version),
                   .tasks = std::string(runtime.tasks),
                   .schedulers = VectorOf<std::string>(registry::Schedulers(),
                                                       [](auto entry) { return entry->name; }),
                   .workloads = VectorOf<std::string>(WorkloadNames(), std::identity())};
  // An asker takes the first one by default.
  StableSort(hello.schedulers, {}, [](const std::string& name) { return name != "fast"; });
  // With several schedulers the agent is this tool, and `describe scheduler` has their fields.
  if (registry::Schedulers().size() == 1) {
    for (const config::Leaf& leaf : registry::Schedulers().front()->schema().Leaves()) {
      hello.settings.emplace_back(leaf.path, leaf.field->doc);
    }
  }
  hello.revision = RevisionOf(registry::ThisBuild());
  hello.build = BuildOf(registry::ThisBuild());
  return hello;
}

std::vector<std::pair<std::string, std::string>> ChecksumsOf(const config::Settings& parameters) {
  return VectorOf(config::FilesOf(parameters), [](const auto& file) {
    return std::pair<std::string, std::string>(file, platform::FileChecksum(file));
  });
}

// `config`: the settings in effect.
OpenReply Opened(const RunPlan& plan, const config::Settings& config) {
  const bool has_workers = plan.config.GetSchema().FindLeaf("workers") != nullptr;
  return {.config = config::ToJson(config).dump(),
          .parameters = config::ToJson(plan.parameters).dump(),
          .operation = std::string(plan.workload->operation),
          .workers = has_workers ? static_cast<std::uint32_t>(
                                       std::get<std::uint64_t>(plan.config.Get("workers")))
                                 : 0,
          .files = ChecksumsOf(plan.parameters)};
}

void AddCounts(std::span<const metrics::MetricInfo> list, const metrics::MetricValues& values,
               std::vector<NamedCount>& counts) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    // Times and maxima are not counts of how often something was done.
    if (list[i].unit != "ns" && list[i].aggregation == metrics::Aggregation::kSum) {
      counts.emplace_back(list[i].name, values[i]);
    }
  }
}

RoundReply Measured(const RunPlan& plan, const MeasuredRound& measured) {
  const Round round = ToRound(measured.reading, platform::TickClock::NsPerTick());
  RoundReply reply{.wall_ns = round.wall_ns,
                   .cpu_ns = round.cpu_ns,
                   .operations = round.operations,
                   .peak_rss_bytes = platform::PeakResidentBytes()};
  const auto metrics = MetricsOf(*plan.workload);
  for (std::size_t i = 0; i < metrics.size(); ++i) {
    reply.metrics.emplace_back(metrics[i]->name, round.metrics[i]);
  }
  AddCounts(metrics::WorkerMetricList(), metrics::Aggregate(measured.workers), reply.counts);
  AddCounts(metrics::PoolMetricList(), measured.pool, reply.counts);
  reply.counts.emplace_back("external_submissions", measured.external_submissions);
  return reply;
}

// Adds what the work was made of, to compare it with that of other runtimes. It is counted in every
// round but sent in audits only, because comparisons have these counts already.
void AddAudit(const MeasuredRound& measured, std::vector<NamedCount>& counts) {
  const metrics::MetricValues all = metrics::Aggregate(measured.workers);
  const auto of = [&all](std::string_view name) { return all[metrics::MetricIndex(name)]; };
  counts.emplace_back(kSpawns, of("spawned") + measured.external_spawns);
  counts.emplace_back(kSwitches, of("tasks_run"));
  counts.emplace_back(kInlineCalls, measured.inline_calls);
}

class Agent {
 public:
  explicit Agent(const AgentLines& lines)
      : lines_(lines) {
  }

  ServeEnd Serve() {
    while (const auto request = Receive()) {
      if (std::holds_alternative<OpenRequest>(*request)) {
        if (const ServeEnd end = ServeSession(std::get<OpenRequest>(*request));
            end != ServeEnd::kDone) {
          return end;
        }
      } else {
        AnswerWithoutSession(*request);
      }
    }
    return ServeEnd::kDone;
  }

 private:
  void Send(const AgentReply& reply) {
    lines_.send(ToLine(reply));
  }

  void Refuse(ErrorReply::Kind kind, const std::string& message) {
    Send(ErrorReply{.kind = kind, .message = message});
  }

  // Returns the next valid request; none at the end.
  std::optional<AgentRequest> Receive() {
    while (const auto line = lines_.receive()) {
      try {
        return ParseRequest(*line);
      } catch (const ProtocolError& error) {
        Refuse(ErrorReply::Kind::kInput, error.what());
      }
    }
    return std::nullopt;
  }

  void AnswerHello(const HelloRequest& hello) {
    if (hello.protocol != kAgentProtocol) {
      Refuse(ErrorReply::Kind::kInput,
             fmt::format("this agent speaks protocol {}, not {}", kAgentProtocol, hello.protocol));
      return;
    }
    HelloReply reply = Hello();
    if (lines_.machine != nullptr) {
      reply.machine = lines_.machine();
    }
    Send(reply);
  }

  void AnswerWithoutSession(const AgentRequest& request) {
    if (const auto* const hello = std::get_if<HelloRequest>(&request)) {
      AnswerHello(*hello);
    } else if (std::holds_alternative<ClockRequest>(request)) {
      Send(ClockReply{.now_ns = platform::NowNs()});
    } else {
      Refuse(ErrorReply::Kind::kInput, "nothing is open");
    }
  }

  ServeEnd ServeSession(const OpenRequest& open) {
    try {
      const RunPlan plan = PlanOf(open);
      const Outcome outcome =
          RunInterruptibly(plan, [this, plan](Recorder& /*recorder*/, WatchPoint& watch) {
            return MeasureOnRequest(plan, watch);
          });
      return Report(outcome);
    } catch (const AgentRefused& refusal) {
      Send(refusal.Reply());
    } catch (const SetupError& error) {
      Refuse(ErrorReply::Kind::kLimit, error.what());
    }
    return ServeEnd::kDone;
  }

  void AnswerLatencies(registry::IHalf* half, const LatenciesRequest& request) {
    if (half == nullptr) {
      Refuse(ErrorReply::Kind::kInput, "what is open has no latencies: it is not a half");
      return;
    }
    if (!times_) {
      times_ = half->Times();
    }
    const auto& all = request.of == "delay" ? times_->delay_ns : times_->latency_ns;
    const auto from = all.begin() + static_cast<std::ptrdiff_t>(
                                        std::min<std::uint64_t>(request.from, all.size()));
    const auto count =
        std::min<std::size_t>(static_cast<std::size_t>(all.end() - from), kLatenciesInReply);
    Send(LatenciesReply{.total = all.size(),
                        .values = {from, from + static_cast<std::ptrdiff_t>(count)},
                        .unanswered = times_->unanswered,
                        .span_ns = times_->span_ns,
                        .trouble = times_->trouble,
                        .cpu_ns = times_->cpu_ns});
  }

  void MeasureRound(const RunPlan& plan, Session& session, const RoundRequest& round) {
    times_.reset();
    if (registry::IHalf* const half = session.Workload().AsHalf()) {
      half->SetTimes(round.start_ns, round.end_ns);
    } else if (round.start_ns != 0 || round.end_ns != 0) {
      Refuse(ErrorReply::Kind::kInput,
             "only a half of a workload has rounds with a start_ns or an end_ns");
      return;
    }
    const MeasuredRound measured = session.Measure(round.name);
    RoundReply reply = Measured(plan, measured);
    if (round.audit) {
      AddAudit(measured, reply.counts);
    }
    Send(reply);
  }

  // Runs on the thread of the run. Returns "" or what was wrong.
  std::string MeasureOnRequest(const RunPlan& plan, WatchPoint& watch) {
    Session session(plan, watch);
    registry::IHalf* const half = session.Workload().AsHalf();
    OpenReply opened = Opened(plan, session.EffectiveConfig());
    if (half != nullptr) {
      opened.address = half->Address();
      half->EndWhen(lines_.is_next_there);
    }
    Send(opened);
    times_.reset();
    bool open = true;
    while (open) {
      const auto request = Receive();
      if (request && std::holds_alternative<RoundRequest>(*request)) {
        try {
          MeasureRound(plan, session, std::get<RoundRequest>(*request));
        } catch (const RoundFailure& failure) {
          return failure.what();
        }
      } else if (request && std::holds_alternative<OpenRequest>(*request)) {
        Refuse(ErrorReply::Kind::kInput, "something is open: close it first");
      } else if (request && std::holds_alternative<LatenciesRequest>(*request)) {
        AnswerLatencies(half, std::get<LatenciesRequest>(*request));
      } else if (request && !std::holds_alternative<CloseRequest>(*request)) {
        AnswerWithoutSession(*request);
      } else {
        session.Close();
        open = false;
        if (request) {
          Send(CloseReply{});
        }
      }
    }
    return "";
  }

  ServeEnd Report(const Outcome& outcome) {
    switch (outcome.ending) {
      case Ending::kComplete:
        return ServeEnd::kDone;
      case Ending::kInterrupted:
        return ServeEnd::kInterrupted;
      case Ending::kFailed:
      case Ending::kLimit:
        break;
    }
    ErrorReply reply{.kind = outcome.ending == Ending::kLimit ? ErrorReply::Kind::kLimit
                                                              : ErrorReply::Kind::kFailed,
                     .message = outcome.result.failure};
    for (std::string_view lines = outcome.result.diagnosis; !lines.empty();) {
      reply.details.emplace_back(TakePart(lines, '\n'));
    }
    try {
      Send(reply);
    } catch (const platform::WriteError&) {
      // The reader has gone. The run may continue, so the caller must learn of the failure.
    }
    return ServeEnd::kFailed;
  }

  const AgentLines& lines_;
  // Times of the last round, when they have been asked for.
  std::optional<registry::HalfTimes> times_;
};

}  // namespace

ServeEnd ServeAsAgent(const AgentLines& lines) {
  auto agent = std::make_unique<Agent>(lines);
  const ServeEnd end = agent->Serve();
  if (end != ServeEnd::kDone) {
    static_cast<void>(agent.release());  // the thread of the run may still use it
  }
  return end;
}

}  // namespace schedbench::harness
