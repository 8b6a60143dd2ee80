#include "harness/experiment/block.hpp"

#include "base/random.hpp"
#include "base/vector_of.hpp"
#include "config/quote.hpp"
#include "harness/agent/agreement.hpp"
#include "harness/agent/client.hpp"
#include "harness/experiment/order.hpp"
#include "platform/files/file_checksum.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

namespace schedbench::harness {

namespace {

// An agent that detects its own hangs gets the time to report them, on a busy machine too.
constexpr std::chrono::seconds kFinishTimeout{30};

// An agent of one alternative with an open workload, and its rounds of the block.
struct Contestant {
  std::size_t member;                  // index in the group
  std::unique_ptr<AgentClient> agent;  // null: it has failed
  std::vector<RoundReply> rounds = {};
};

// The agent does not do what was asked for.
class OtherWork : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

class OutOfTime {};

class Block {
 public:
  Block(const BlockPlan& plan, const BlockEvents& events)
      : plan_(plan),
        events_(events) {
    data_.series.resize(plan.members.size());
  }

  BlockData Measure() {
    try {
      MeasureAll();
    } catch (const OutOfTime&) {
      data_.ending = BlockData::Ending::kOutOfTime;
    } catch (const AgentCancelled&) {
      data_.ending = BlockData::Ending::kCancelled;
    }
    return std::move(data_);
  }

 private:
  void MeasureAll() {
    for (const std::size_t member : plan_.members) {
      contestants_.push_back({.member = member, .agent = nullptr});
    }
    // The order in which agents start is random, too: where it is the same in each block, what
    // starts first can be faster in all of them.
    constexpr std::uint64_t kStarts = ~std::uint64_t{0};  // not the number of a block
    const auto starts =
        BlockOrder(contestants_.size(), 1, plan_.order, DeriveSeed(plan_.extent.seed, kStarts));
    for (const std::size_t i : starts.front()) {
      if (HasWorkload(AlternativeOf(i))) {
        Guard(i, [&] { contestants_[i].agent = Opened(AlternativeOf(i), data_.series[i].config); });
      } else {
        const std::string& update = AlternativeOf(i).update;
        data_.series[i].failure = "the agent does not have this workload" +
                                  (update.empty() ? "" : ", or is too old for it    " + update);
        data_.series[i].absent = true;
      }
    }
    const std::size_t rounds = std::size_t{plan_.extent.warmup} + plan_.extent.rounds;
    const auto order = BlockOrder(contestants_.size(), rounds, plan_.order, plan_.extent.seed);
    if (events_.watch != nullptr) {
      events_.watch->Begin();
    }
    for (std::size_t round = 0; round < rounds; ++round) {
      for (const std::size_t i : order[round]) {
        RequireTime();
        events_.round_begins();
        OfRunning(i, [&] { MeasureRound(i, round); });
      }
    }
    if (events_.watch != nullptr) {
      data_.disturbance = events_.watch->Look(ProcessNumbers());
    }
    if (plan_.audits) {
      for (std::size_t i = 0; i < contestants_.size(); ++i) {
        OfRunning(i, [&] {
          RequireTime();
          Audit(i);
        });
      }
    }
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      OfRunning(i, [&] { End(*contestants_[i].agent); });
    }
    // Either all members have their rounds or none does: the end may be cancelled too.
    for (std::size_t i = 0; i < contestants_.size(); ++i) {
      if (data_.series[i].failure.empty()) {
        data_.series[i].blocks.push_back(std::move(contestants_[i].rounds));
      }
    }
  }

  const Alternative& AlternativeOf(std::size_t i) const {
    return plan_.group.alternatives[contestants_[i].member];
  }

  bool HasWorkload(const Alternative& alternative) const {
    return !alternative.workloads ||
           std::ranges::find(*alternative.workloads, plan_.group.workload.entry->name) !=
               alternative.workloads->end();
  }

  void RequireTime() const {
    if (!events_.has_time()) {
      throw OutOfTime();
    }
  }

  std::vector<std::int64_t> ProcessNumbers() const {
    return PresentOf(contestants_, [](const Contestant& one) {
      return one.agent ? std::optional(one.agent->ProcessNumber()) : std::nullopt;
    });
  }

  // Returns the operations of an audit of this alternative, in this block or an earlier one.
  std::optional<std::uint64_t> Audited(std::size_t i) const {
    const std::size_t member = contestants_[i].member;
    return data_.series[i].audit              ? std::optional(data_.series[i].audit->operations)
           : member < plan_.operations.size() ? plan_.operations[member]
                                              : std::nullopt;
  }

  // The audit comes before the agents end, so that no measured round comes after it.
  void Audit(std::size_t i) {
    RoundReply& audit = data_.series[i].audit.emplace(contestants_[i].agent->Ask<RoundReply>(
        RoundRequest{.name = "the audit", .audit = true}, Limit()));
    RequireSameOperations(i, audit.operations);
  }

  // An agent that counts other operations does other work, whatever its answer. Its work must not
  // change while it is observed either.
  void RequireSameOperations(std::size_t of, std::uint64_t operations) const {
    for (const RoundReply& round : contestants_[of].rounds) {
      if (round.operations != operations) {
        throw OtherWork(
            fmt::format("the agent counts {} operations in the audit, but {} in a round",
                        operations, round.operations));
      }
    }
    for (std::size_t i = 0; i < of; ++i) {
      if (Audited(i) && *Audited(i) != operations) {
        throw OtherWork(fmt::format(
            "the agent counts {} operations in a round, but another alternative counts {}: only "
            "equal work is compared. If the work grows with the workers, --workers N sets the same "
            "number for all, and schedbench scale compares numbers of workers",
            operations, *Audited(i)));
      }
    }
  }

  // A scheduler that does not stop, or a crash at the end, is a failure too.
  void End(AgentClient& agent) const {
    agent.Ask<CloseReply>(CloseRequest{}, Limit());
    agent.End(kFinishTimeout);
  }

  template <typename F>
  void OfRunning(std::size_t i, F work) {
    if (contestants_[i].agent != nullptr) {
      Guard(i, work);
    }
  }

  // A failure of one alternative ends only this alternative in this group.
  template <typename F>
  void Guard(std::size_t i, F work) {
    Series& series = data_.series[i];
    try {
      work();
      return;
    } catch (const AgentLimit& limit) {
      series.failure = limit.what();
      series.refused = true;
    } catch (const AgentLost& lost) {
      LookAtPlace(lost, series);
    } catch (const AgentRefused& refused) {
      series.failure = plan_.place == nullptr
                           ? refused.what()
                           : fmt::format("{}: {}", plan_.place->Text(), refused.what());
      series.details = refused.Reply().details;
      series.refused = refused.Reply().kind != ErrorReply::Kind::kFailed;
    } catch (const OtherWork& other) {
      series.failure = other.what();
    }
    contestants_[i].agent.reset();
  }

  void LookAtPlace(const AgentLost& lost, Series& series) const {
    const Loss loss = ExplainLoss(plan_.place, lost, events_.cancelled);
    series.failure = loss.text;
    series.lost = loss.of == Loss::Of::kPlace        ? Series::Lost::kPlace
                  : loss.of == Loss::Of::kConnection ? Series::Lost::kConnection
                                                     : Series::Lost::kNot;
    series.refused = series.refused || series.lost != Series::Lost::kNot;
  }

  std::unique_ptr<AgentClient> Opened(const Alternative& alternative, std::string& config) const {
    const ComparedWorkload& workload = plan_.group.workload;
    auto agent = StartAt(plan_.place, alternative.command, events_.cancelled);
    const auto opened = agent->Ask<OpenReply>(
        OpenRequest{.scheduler = alternative.scheduler,
                    .config = alternative.config,
                    .workload = std::string(workload.entry->name),
                    .parameters = workload.parameters,
                    // All alternatives get the same seed, so that their random choices are equal.
                    .seed = DeriveSeed(plan_.extent.seed, plan_.number),
                    .timeout = plan_.extent.limit},
        Limit());
    if (std::string difference = DifferenceOfParameters(workload.parameters, opened.parameters);
        !difference.empty()) {
      throw OtherWork(difference);
    }
    config = opened.config;
    if (plan_.place != nullptr) {
      RequireSameFiles(*plan_.place, opened);
    }
    return agent;
  }

  // Other files are other work. The user can repair it, so it is not a failure.
  static void RequireSameFiles(const Place& place, const OpenReply& opened) {
    for (const auto& [file, checksum] : opened.files) {
      if (checksum != platform::FileChecksum(file)) {
        throw AgentRefused(
            {.kind = ErrorReply::Kind::kInput,
             .message = fmt::format("{} is another file there than here    scp {} {}:",
                                    config::Quoted(file), config::Quoted(file), place.name)});
      }
    }
  }

  void MeasureRound(std::size_t i, std::size_t round) {
    const std::uint32_t warmup = plan_.extent.warmup;
    const bool warming_up = round < warmup;
    RoundReply reply = contestants_[i].agent->Ask<RoundReply>(
        RoundRequest{warming_up ? fmt::format("warm-up round {}", round + 1)
                                : fmt::format("round {}", round - warmup + 1)},
        Limit());
    if (Audited(i) && *Audited(i) != reply.operations) {
      throw OtherWork(fmt::format("the agent counts {} operations in a round, but {} in the audit",
                                  reply.operations, *Audited(i)));
    }
    if (!warming_up) {
      contestants_[i].rounds.push_back(std::move(reply));
    }
  }

  std::chrono::nanoseconds Limit() const {
    constexpr std::chrono::hours kNever{100'000};
    const std::chrono::nanoseconds limit = plan_.extent.limit;
    return limit == std::chrono::nanoseconds::zero() ? kNever : limit + kFinishTimeout;
  }

  const BlockPlan& plan_;
  const BlockEvents& events_;
  BlockData data_;
  std::vector<Contestant> contestants_;  // one for each member, in their order
};

}  // namespace

BlockData MeasureBlock(const BlockPlan& plan, const BlockEvents& events) {
  return Block(plan, events).Measure();
}

}  // namespace schedbench::harness
