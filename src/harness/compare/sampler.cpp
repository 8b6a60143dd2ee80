#include "harness/compare/sampler.hpp"

#include "base/random.hpp"
#include "config/quote.hpp"
#include "harness/agent/agreement.hpp"
#include "harness/agent/client.hpp"
#include "harness/agent/place.hpp"
#include "harness/compare/order.hpp"
#include "platform/files/file_checksum.hpp"
#include "platform/time/clock.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <utility>

namespace schedbench::harness {

namespace {

// An agent that detects its own hangs gets the time to report them, on a busy machine too.
constexpr std::chrono::seconds kFinishTimeout{30};

// An agent of one alternative with a workload open, and its rounds of the block that is measured.
struct Contestant {
  std::unique_ptr<AgentClient> agent;  // null: it has failed
  std::vector<RoundReply> rounds;
};

// The agent does not do what was asked for.
class OtherWork : public std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The budget is used up; the block that was begun does not count.
class OutOfTime {};

class Sampler {
 public:
  Sampler(const ComparisonPlan& plan, const SamplerEvents& events)
      : plan_(plan),
        events_(events) {
    data_.series.assign(plan.workloads.size(), std::vector<Series>(plan.alternatives.size()));
    orders_ = plan.first_block;
    repeated_.assign(plan.workloads.size(), 0);
    last_block_.assign(plan.workloads.size(), {});
    data_.lost.resize(plan.places.size());
  }

  ComparisonData Sample() {
    try {
      for (std::size_t block = 0; block < plan_.blocks && !is_over_; ++block) {
        for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
          if (MayBegin(workload)) {
            AddBlock(workload, block);
          }
        }
      }
      data_.complete = true;
    } catch (const AgentCancelled&) {
      data_.complete = false;
    }
    return std::move(data_);
  }

 private:
  // Whether a block of the workload has a purpose, and will probably end before the budget does. The first one begins in any case,
  // to report how long it takes.
  bool MayBegin(std::size_t workload) {
    is_over_ = is_over_ || (done_ > 0 && !Fits(workload));
    return !is_over_ && !IsLost(workload) && !(plan_.budget && IsSettled(workload));
  }

  // Whether a block of the workload ends within the budget, if it takes as long as the last one.
  bool Fits(std::size_t workload) const {
    return !plan_.budget || Passed() + last_block_[workload] <= *plan_.budget;
  }

  std::chrono::nanoseconds Passed() const {
    return std::chrono::nanoseconds(Now() - start_ns_);
  }

  std::uint64_t Now() const {
    return events_.now != nullptr ? events_.now() : platform::NowNs();
  }

  void RequireTime() const {
    if (plan_.budget && Passed() > *plan_.budget) {
      throw OutOfTime();
    }
  }

  // Why the place of the workload was lost; null: it was not.
  std::string* LossAt(std::size_t workload) {
    const auto found = std::ranges::find(plan_.places, plan_.workloads[workload].place);
    return found == plan_.places.end()
               ? nullptr
               : &data_.lost[static_cast<std::size_t>(found - plan_.places.begin())];
  }

  bool IsLost(std::size_t workload) {
    const std::string* const loss = LossAt(workload);
    return loss != nullptr && !loss->empty();
  }

  bool IsSettled(std::size_t workload) {
    const std::vector<Series>& series = data_.series[workload];
    return IsLost(workload) || !series.front().failure.empty() ||
           std::all_of(series.begin() + 1, series.end(),
                       [](const Series& one) { return one.settled || !one.failure.empty(); });
  }

  // Takes the block from an earlier measurement, or measures it.
  void AddBlock(std::size_t workload, std::size_t block) {
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < plan_.alternatives.size(); ++i) {
      if (Runs(data_.series[workload][i])) {
        running.push_back(i);
      }
    }
    if (TakeKnown(running, workload, block)) {
      ++orders_;
      done_ += RoundsOfABlock();
    } else {
      MeasureTimed(workload, block);
      Report(running, workload, block);
    }
    Settle(workload);
  }

  static bool Runs(const Series& series) {
    return series.failure.empty() && !series.settled;
  }

  // Takes the block if it is known of all alternatives that run.
  bool TakeKnown(const std::vector<std::size_t>& running, std::size_t workload, std::size_t block) {
    std::vector<Series>& series = data_.series[workload];
    if (events_.known == nullptr || !series.front().failure.empty()) {
      return false;
    }
    std::vector<Series> known;
    for (const std::size_t i : running) {
      auto one = events_.known(ComparedCellOf(plan_, workload, i), block, PlaceNameOf(workload));
      if (!one) {
        return false;
      }
      known.push_back(std::move(*one));
    }
    for (Series& one : series) {
      if (!one.settled) {
        one.blocks.emplace_back();
      }
    }
    for (std::size_t k = 0; k < known.size(); ++k) {
      Series& one = series[running[k]];
      if (known[k].failure.empty()) {
        one.blocks.back() = std::move(known[k].blocks.front());
      }
      one.failure = std::move(known[k].failure);
      one.details = std::move(known[k].details);
      one.absent = known[k].absent;
      one.config = std::move(known[k].config);
      if (block == 0) {
        one.audit = std::move(known[k].audit);
      }
    }
    if (!known.empty() && known.front().disturbed) {
      data_.disturbed.push_back(
          {.workload = workload, .block = block, .by = *known.front().disturbed});
    }
    return true;
  }

  // Reports the block of the alternatives that ran.
  void Report(const std::vector<std::size_t>& running, std::size_t workload,
              std::size_t block) const {
    if (events_.measured == nullptr) {
      return;
    }
    const bool is_disturbed =
        !data_.disturbed.empty() && data_.disturbed.back().workload == workload &&
        data_.disturbed.back().block == block && data_.disturbed.back().replaced.empty();
    for (const std::size_t i : running) {
      const Series& series = data_.series[workload][i];
      Series one{
          .blocks = {},
          .failure = series.failure,
          .details = series.details,
          .refused = series.refused,
          .absent = series.absent,
          .place = PlaceNameOf(workload),
          .config = series.config,
          .audit = block == 0 ? series.audit : std::nullopt,
          .disturbed = is_disturbed ? std::optional(data_.disturbed.back().by) : std::nullopt};
      if (series.failure.empty()) {
        if (series.blocks.size() <= block) {
          continue;  // it does not count
        }
        one.blocks.push_back(series.blocks.back());
      }
      events_.measured(ComparedCellOf(plan_, workload, i), block, one);
    }
  }

  std::string PlaceNameOf(std::size_t workload) const {
    const PlacePtr& place = plan_.workloads[workload].place;
    return place == nullptr ? "" : place->name;
  }

  void MeasureTimed(std::size_t workload, std::size_t block) {
    try {
      MeasureUndisturbed(workload, block);
    } catch (const OutOfTime&) {
      if (LossAt(workload) != nullptr) {
        ForgetLosses(data_.series[workload]);
      }
      TakeBack(workload, block);
      if (block == 0 && workload == 0) {
        data_.unfinished_block = Passed() * RoundsOfABlock() / std::max<std::size_t>(done_, 1);
      }
      is_over_ = true;
    }
  }

  // Ends alternatives that need no more blocks.
  void Settle(std::size_t workload) {
    if (is_over_ || !plan_.budget || events_.settled == nullptr) {
      return;
    }
    const std::vector<bool> settled = events_.settled(data_, workload);
    for (std::size_t i = 1; i < settled.size(); ++i) {
      data_.series[workload][i].settled = data_.series[workload][i].settled || settled[i];
    }
    is_over_ = AllSettled();
  }

  bool AllSettled() {
    for (std::size_t workload = 0; workload < plan_.workloads.size(); ++workload) {
      if (!IsSettled(workload)) {
        return false;
      }
    }
    return true;
  }

  // With a budget, of the blocks so far.
  std::size_t MostRepeated(std::size_t block) const {
    return RepeatedAtMost(plan_.budget ? block + 1 : plan_.blocks);
  }

  // Measures the block again while something else runs, within the budget and the share of blocks that may be repeated.
  void MeasureUndisturbed(std::size_t workload, std::size_t block) {
    std::vector<Series>& series = data_.series[workload];
    for (;;) {
      const std::chrono::nanoseconds begin = Passed();
      const std::optional<Disturbance> disturbance = MeasureConnected(workload, block);
      last_block_[workload] = Passed() - begin;
      if (!disturbance || !disturbance->IsSignificant()) {
        return;
      }
      data_.disturbed.push_back({.workload = workload, .block = block, .by = *disturbance});
      const bool failed = std::ranges::any_of(
          series, [](const Series& one) { return !one.failure.empty() && !one.absent; });
      if (failed || repeated_[workload] >= MostRepeated(block) || !Fits(workload)) {
        return;
      }
      ++repeated_[workload];
      for (Series& one : series) {
        auto& replaced = data_.disturbed.back().replaced.emplace_back();
        if (!one.settled) {
          replaced = std::move(one.blocks.back());
          one.blocks.pop_back();
        }
      }
      done_ -= RoundsOfABlock();
    }
  }

  // As long as connections are lost, a few times; then the place is lost. A block that is lost counts for no alternative.
  std::optional<Disturbance> MeasureConnected(std::size_t workload, std::size_t block) {
    for (std::size_t lost = 0;;) {
      const std::optional<Disturbance> disturbance = MeasureBlock(workload, block);
      std::string* const place = LossAt(workload);
      std::vector<Series>& series = data_.series[workload];
      const auto found = std::ranges::find_if(
          series, [](const Series& one) { return one.lost != Series::Lost::kNot; });
      if (place == nullptr || found == series.end()) {
        return disturbance;
      }
      const bool is_place = found->lost == Series::Lost::kPlace;
      const std::string why = found->failure;
      for (Series& one : series) {
        if (!one.settled) {
          one.blocks.pop_back();
        }
      }
      ForgetLosses(series);
      done_ -= RoundsOfABlock();
      if (is_place || ++lost == kMostLostConnections) {
        *place = why;
        return std::nullopt;
      }
    }
  }

  static void ForgetLosses(std::vector<Series>& series) {
    for (Series& one : series) {
      if (one.lost != Series::Lost::kNot) {
        one.failure.clear();
        one.refused = false;
        one.lost = Series::Lost::kNot;
      }
    }
  }

  // Lets a replaced block count after all, because there was no time to measure it again.
  void TakeBack(std::size_t workload, std::size_t block) {
    if (data_.disturbed.empty() || data_.disturbed.back().workload != workload ||
        data_.disturbed.back().block != block) {
      return;
    }
    std::vector<std::vector<RoundReply>> replaced =
        std::exchange(data_.disturbed.back().replaced, {});
    for (std::size_t i = 0; i < replaced.size(); ++i) {
      if (!data_.series[workload][i].settled) {
        data_.series[workload][i].blocks.push_back(std::move(replaced[i]));
      }
    }
    --repeated_[workload];
  }

  // Returns what disturbed it; nothing where nothing was measured. Throws OutOfTime between two rounds; then nothing has changed but
  // failures.
  std::optional<Disturbance> MeasureBlock(std::size_t workload, std::size_t block) {
    if (events_.cancelled()) {
      throw AgentCancelled("cancelled");
    }
    std::vector<Series>& series = data_.series[workload];
    if (!series.front().failure.empty()) {
      done_ += RoundsOfABlock();
      return std::nullopt;  // there is nothing to compare the others with
    }
    place_ = plan_.workloads[workload].place;
    std::vector<Contestant> contestants(series.size());
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!HasWorkload(plan_.alternatives[i], workload)) {
        const std::string& update = plan_.alternatives[i].update;
        series[i].failure =
            update.empty()
                ? "the agent does not have this workload"
                : "the agent does not have this workload, or is too old for it    " + update;
        series[i].absent = true;
      }
      if (Runs(series[i])) {
        Guard(contestants[i], series[i], [&] {
          contestants[i].agent =
              Opened(plan_.alternatives[i], plan_.workloads[workload], block, series[i].config);
        });
      }
    }
    const std::size_t rounds = std::size_t{plan_.warmup} + plan_.rounds;
    const auto order = BlockOrder(series.size(), rounds, orders_++, plan_.seed);
    watch_.Begin();
    for (std::size_t round = 0; round < rounds; ++round) {
      for (const std::size_t i : order[round]) {
        RequireTime();
        events_.progress(done_++, TotalRounds());
        if (contestants[i].agent != nullptr) {
          Guard(contestants[i], series[i], [&] { MeasureRound(contestants[i], series[i], round); });
        }
      }
    }
    // What runs here does not disturb agents on another machine.
    Disturbance disturbance = events_.disturbance != nullptr ? events_.disturbance()
                              : place_ != nullptr            ? Disturbance()
                                                             : watch_.Look(NumbersOf(contestants));
    if (block == 0 && plan_.audits) {
      Audit(contestants, series);
    }
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (contestants[i].agent != nullptr) {
        Guard(contestants[i], series[i], [&] { End(*contestants[i].agent); });
      }
    }
    // Of all or of none: the end may be cancelled too.
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (!series[i].settled) {
        series[i].blocks.push_back(std::move(contestants[i].rounds));
      }
    }
    return disturbance;
  }

  static std::vector<std::int64_t> NumbersOf(const std::vector<Contestant>& contestants) {
    std::vector<std::int64_t> numbers;
    for (const Contestant& contestant : contestants) {
      if (contestant.agent != nullptr) {
        numbers.push_back(contestant.agent->ProcessNumber());
      }
    }
    return numbers;
  }

  bool HasWorkload(const Alternative& alternative, std::size_t workload) const {
    return !alternative.workloads ||
           std::ranges::find(*alternative.workloads, plan_.workloads[workload].entry->name) !=
               alternative.workloads->end();
  }

  // Before the agents end, so that no measured round comes after it.
  void Audit(std::vector<Contestant>& contestants, std::vector<Series>& series) {
    for (std::size_t i = 0; i < series.size(); ++i) {
      if (contestants[i].agent != nullptr) {
        RequireTime();
        Guard(contestants[i], series[i], [&] {
          series[i].audit = contestants[i].agent->Ask<RoundReply>(
              RoundRequest{.name = "the audit", .audit = true}, Limit());
          RequireSameOperations(series, i, contestants[i], *series[i].audit);
        });
      }
    }
  }

  // An agent that counts other operations does other work, whatever its answer. Nor may its work change while it is observed.
  static void RequireSameOperations(const std::vector<Series>& series, std::size_t of,
                                    const Contestant& contestant, const RoundReply& audit) {
    for (const RoundReply& round : contestant.rounds) {
      if (round.operations != audit.operations) {
        throw OtherWork(
            fmt::format("the agent counts {} operations in the audit, but {} in a round",
                        audit.operations, round.operations));
      }
    }
    for (std::size_t i = 0; i < of; ++i) {
      if (series[i].audit && series[i].audit->operations != audit.operations) {
        throw OtherWork(fmt::format(
            "the agent counts {} operations in a round, but another alternative counts {}: only "
            "equal work is compared. If the work grows with the workers, --workers N sets the same "
            "number for all, and schedbench scale compares numbers of workers",
            audit.operations, series[i].audit->operations));
      }
    }
  }

  // A scheduler that does not stop, or a crash at the end, is no success either.
  void End(AgentClient& agent) {
    agent.Ask<CloseReply>(CloseRequest{}, Limit());
    agent.End(kFinishTimeout);
  }

  // What is wrong with one alternative ends it under this workload, and nothing else.
  template <typename F>
  void Guard(Contestant& contestant, Series& series, F work) {
    try {
      work();
      return;
    } catch (const AgentLimit& limit) {
      series.failure = limit.what();
      series.refused = true;
    } catch (const AgentLost& lost) {
      LookAtPlace(lost, series);
    } catch (const AgentRefused& refused) {
      series.failure = place_ == nullptr ? refused.what()
                                         : fmt::format("{}: {}", place_->Text(), refused.what());
      series.details = refused.Reply().details;
      series.refused = refused.Reply().kind != ErrorReply::Kind::kFailed;
    } catch (const OtherWork& other) {
      series.failure = other.what();
    }
    contestant.agent.reset();
    contestant.rounds.clear();
  }

  void LookAtPlace(const AgentLost& lost, Series& series) const {
    const Loss loss = ExplainLoss(place_, lost, events_.cancelled);
    series.failure = loss.text;
    series.lost = loss.of == Loss::Of::kPlace        ? Series::Lost::kPlace
                  : loss.of == Loss::Of::kConnection ? Series::Lost::kConnection
                                                     : Series::Lost::kNot;
    series.refused = series.refused || series.lost != Series::Lost::kNot;
  }

  std::unique_ptr<AgentClient> Opened(const Alternative& alternative,
                                      const ComparedWorkload& workload, std::size_t block,
                                      std::string& config) {
    auto agent = StartAt(workload.place, alternative.command, events_.cancelled);
    const auto opened = agent->Ask<OpenReply>(
        OpenRequest{.scheduler = alternative.scheduler,
                    .config = alternative.config,
                    .workload = std::string(workload.entry->name),
                    .parameters = workload.parameters,
                    // The same for all: their random choices are to be the same ones.
                    .seed = DeriveSeed(plan_.seed, plan_.first_block + block),
                    .timeout = plan_.limit},
        Limit());
    if (std::string difference = DifferenceOfParameters(workload.parameters, opened.parameters);
        !difference.empty()) {
      throw OtherWork(difference);
    }
    config = opened.config;
    if (workload.place != nullptr) {
      RequireSameFiles(*workload.place, opened);
    }
    return agent;
  }

  // Other files are other work. It can be repaired, so it is no failure.
  static void RequireSameFiles(const Place& place, const OpenReply& opened) {
    for (const auto& [file, checksum] : opened.files) {
      if (checksum != platform::FileChecksum(file)) {
        throw AgentRefused(
            {.kind = ErrorReply::Kind::kInput,
             .message = fmt::format("{} is another file there than here    scp {} {}:",
                                    config::Quoted(file), config::Quoted(file), place.name),
             .details = {}});
      }
    }
  }

  void MeasureRound(Contestant& contestant, const Series& series, std::size_t round) {
    const bool warming_up = round < plan_.warmup;
    RoundReply reply = contestant.agent->Ask<RoundReply>(
        RoundRequest{warming_up ? fmt::format("warm-up round {}", round + 1)
                                : fmt::format("round {}", round - plan_.warmup + 1)},
        Limit());
    if (series.audit && series.audit->operations != reply.operations) {
      throw OtherWork(fmt::format("the agent counts {} operations in a round, but {} in the audit",
                                  reply.operations, series.audit->operations));
    }
    if (!warming_up) {
      contestant.rounds.push_back(std::move(reply));
    }
  }

  std::chrono::nanoseconds Limit() const {
    constexpr std::chrono::hours kNever{100'000};
    return plan_.limit == std::chrono::nanoseconds::zero() ? kNever : plan_.limit + kFinishTimeout;
  }

  std::size_t RoundsOfABlock() const {
    return plan_.alternatives.size() * (std::size_t{plan_.warmup} + plan_.rounds);
  }

  std::size_t TotalRounds() const {
    return std::size_t{plan_.blocks} * plan_.workloads.size() * RoundsOfABlock();
  }

  const ComparisonPlan& plan_;
  const SamplerEvents& events_;
  ComparisonData data_;
  std::size_t done_ = 0;
  std::size_t orders_ = 0;             // the number of the next order
  DisturbanceWatch watch_;             // of blocks on this machine
  std::vector<std::size_t> repeated_;  // blocks, by workload
  PlacePtr place_;                     // of the block that is measured
  const std::uint64_t start_ns_ = Now();
  std::vector<std::chrono::nanoseconds> last_block_;  // how long it took, by workload
  // Of a plan with a budget:
  bool is_over_ = false;
};

}  // namespace

ComparisonData Sample(const ComparisonPlan& plan, const SamplerEvents& events) {
  return Sampler(plan, events).Sample();
}

}  // namespace schedbench::harness
