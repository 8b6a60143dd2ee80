#include "report/timeline/text.hpp"

#include "base/vector_of.hpp"
#include "report/document/table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace schedbench::report {

namespace {

using timeline::Steals;
using timeline::Summary;

// More workers do not fit in a line: then the pairs with most steals are shown.
constexpr std::size_t kWidestMatrix = 16;
constexpr std::size_t kMaxPairs = 10;

double Share(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

class Text {
 public:
  Text(const Summary& summary, const TerminalStyle& style)
      : summary_(summary),
        style_(style) {
  }

  std::string Write() && {
    AddWindow();
    AddWorkers();
    AddWasted();
    AddFairness();
    AddWaits();
    AddSteals();
    return std::move(text_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...);
    text_ += '\n';
  }

  std::string Time(std::uint64_t ns) const {
    return Duration(static_cast<double>(ns), style_);
  }

  void AddWindow() {
    Line("window of {}: {} workers, {} events", Time(summary_.length_ns), summary_.workers.size(),
         Count(summary_.events));
    if (summary_.overwritten > 0) {
      Line("{} events before it were overwritten: larger rings hold more",
           Count(summary_.overwritten));
    }
    if (summary_.timestamps_corrected > 0) {
      Line("{} timestamps went back, because the counters of CPUs differ: corrected",
           Count(summary_.timestamps_corrected));
    }
  }

  void AddWorkers() {
    const Media off_cpu = summary_.knows_off_cpu ? kInTerminal : 0;
    const auto share_of = [this](std::uint64_t timeline::WorkerShare::* part) {
      return [this, part](const timeline::WorkerShare& share) {
        return Percent(Share(share.*part, summary_.length_ns));
      };
    };
    using timeline::WorkerShare;
    TableOf<WorkerShare> table;
    table.Add({"worker", kRight}, &WorkerShare::worker);
    table.Add({"run", kRight}, share_of(&WorkerShare::run_ns));
    table.Add({"search", kRight}, share_of(&WorkerShare::search_ns));
    table.Add({"park", kRight}, share_of(&WorkerShare::park_ns));
    table.Add({.name = "preempted", .align = kRight, .media = off_cpu, .opens_group = true},
              share_of(&WorkerShare::preempted_ns));
    table.Add({"blocked", kRight, off_cpu}, share_of(&WorkerShare::blocked_ns));
    text_ += TableText(std::move(table).Rows(summary_.workers), style_);
    AddOffCpu();
  }

  void AddOffCpu() {
    if (!summary_.off_cpu_refusal.empty()) {
      Line("preemptions are not shown: {}{}", summary_.off_cpu_refusal,
           summary_.queued_ns
               ? fmt::format("; the workers waited {} for a CPU in the whole recording",
                             Time(*summary_.queued_ns))
               : "");
    }
  }

  void AddWasted() {
    Line("wasted core time: {} idle while work was ready, {} of {} idle, {} of all",
         Time(summary_.wasted_ns), Percent(Share(summary_.wasted_ns, summary_.idle_ns)),
         Time(summary_.idle_ns),
         Percent(Share(summary_.wasted_ns, summary_.length_ns * summary_.workers.size())));
  }

  void AddFairness() {
    const timeline::Fairness& fairness = summary_.fairness;
    if (fairness.windows == 0) {
      Line("fairness: no two fibers were ready or ran for all of a window of {}",
           Time(fairness.window_ns));
      return;
    }
    Line("fairness among {} fibers in {} windows of {}: Jain's index {:.3f}, at least {:.3f}",
         fairness.fibers, fairness.windows, Time(fairness.window_ns), fairness.median,
         fairness.least);
  }

  void AddWaits() {
    if (summary_.waits == 0) {
      Line("waits: none ended");
      return;
    }
    Line("longest of {} waits:", Count(summary_.waits));
    for (const timeline::LongWait& wait : summary_.longest_waits) {
      Line("  {} {} until {} on worker {}", Time(wait.length_ns), wait.fiber, Time(wait.end_ns),
           wait.worker);
      for (const timeline::ChainLink& link : wait.chain) {
        const std::string source =
            link.worker == timeline::kExternal
                ? "from outside"
                : fmt::format("by {} on worker {}", link.waker.empty() ? "the loop" : link.waker,
                              link.worker);
        Line("    {} {} {}", &link == &wait.chain.front() ? "resumed" : "which was resumed", source,
             link.is_before ? "before the window" : "at " + Time(link.at_ns));
      }
    }
  }

  void AddSteals() {
    if (!summary_.first_steal_ns) {
      Line("steals: none recorded");
      return;
    }
    Steals all;
    for (const Steals& steals : summary_.steals) {
      all.operations += steals.operations;
      all.tasks += steals.tasks;
    }
    Line("steals: {} moved {} tasks, the first after {}", Count(all.operations), Count(all.tasks),
         Time(*summary_.first_steal_ns));
    if (summary_.workers.size() <= kWidestMatrix) {
      AddMatrix();
    } else {
      AddLargestPairs();
    }
  }

  void AddMatrix() {
    TableOf<std::size_t> table;
    table.Add({"thief", kRight}, [this](std::size_t i) { return summary_.workers[i].worker; });
    for (std::size_t victim = 0; victim < summary_.workers.size(); ++victim) {
      table.Add({fmt::format("from {}", summary_.workers[victim].worker), kRight},
                [this, victim](std::size_t thief) {
                  return Count(summary_.StealsOf(thief, victim).operations);
                });
    }
    text_ += TableText(std::move(table).Rows(Indices(summary_.workers.size())), style_);
  }

  void AddLargestPairs() {
    std::vector<std::size_t> pairs;
    for (std::size_t i = 0; i < summary_.steals.size(); ++i) {
      if (summary_.steals[i].operations > 0) {
        pairs.push_back(i);
      }
    }
    std::ranges::sort(pairs, {}, [&](std::size_t i) {
      return std::pair(0 - summary_.steals[i].operations, i);  // most first
    });
    const std::size_t size = summary_.workers.size();
    for (const std::size_t i : std::span(pairs).first(std::min(kMaxPairs, pairs.size()))) {
      Line("  {} by worker {} from {}", Count(summary_.steals[i].operations),
           summary_.workers[i / size].worker, summary_.workers[i % size].worker);
    }
  }

  const Summary& summary_;
  const TerminalStyle& style_;
  std::string text_;
};

}  // namespace

std::string TimelineText(const Summary& summary, const TerminalStyle& style) {
  return Text(summary, style).Write();
}

}  // namespace schedbench::report
