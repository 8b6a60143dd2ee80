#include "tests/bench/every_scheduler.hpp"

#include "config/schema.hpp"
#include "stats/order_statistics.hpp"
#include "tests/bench/contender.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <deque>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::tests {

using simulation::Contender;
using simulation::SizeField;

namespace {

constexpr int kRounds = 21;  // the interval of the median leaves out five at each end
constexpr std::uint64_t kRoundNs = 20'000'000;
constexpr std::uint64_t kLongestRunNs = 100'000'000;
constexpr std::uint64_t kWorkers[] = {1, 2, 4};
constexpr const char* kBaseline = "global_fifo";

// A workload of a usual size, and of 1/factor of it for schedulers that would take too long.
struct Sizes {
  const char* name;
  const char* full;
  const char* small;
  double small_operations;
  double factor;
};
constexpr Sizes kWorkloads[] = {
    {"pingpong", "pingpong:rounds=1000", "pingpong:rounds=20", 64 * 20, 50},
    {"yield", "yield:yields=100", "yield:yields=2", 1000 * 2, 50},
    {"spawn_join", "spawn_join:tasks=20000", "spawn_join:tasks=1000", 1000, 20},
};

// ---- Measuring ----

// About three digits, and never "1e+03".
std::string Digits(double ratio) {
  return ratio < 0.1  ? fmt::format("{:.4f}", ratio)
         : ratio < 10 ? fmt::format("{:.2f}", ratio)
                      : fmt::format("{:.1f}", ratio);
}

// All of a group in turn in each round, each round begun by another, so that what the machine does
// besides meets all alike. The first is the one that others are compared with.
class Group {
 public:
  Group(const Sizes& sizes, std::uint64_t workers)
      : sizes_(sizes),
        workers_(workers) {
  }

  void Add(const std::string& spec) {
    const bool too_long = ShortestRun(spec) * sizes_.factor > double{kLongestRunNs};
    small_.push_back(too_long);
    contenders_.emplace_back(spec, too_long ? sizes_.small : sizes_.full, workers_).RunRound();
  }

  // All rounds.
  void Measure() {
    const std::size_t count = contenders_.size();
    for (std::size_t round = 0; round < kRounds; ++round) {
      for (std::size_t i = 0; i < count; ++i) {
        contenders_[(round + i) % count].Measure(kRoundNs);
      }
    }
  }

  // After that, in the order of adding:

  // Nanoseconds per operation; the median.
  double Ns(std::size_t index) const {
    return stats::Median(contenders_[index].NsPerOperation());
  }

  std::string Time(std::size_t index) const {
    const double ns = Ns(index);
    return fmt::format(
        "{}{}", ns < 1000 ? fmt::format("{:.1f} ns", ns) : fmt::format("{:.1f} µs", ns / 1000),
        small_[index] ? "*" : "");
  }

  // The times of `other` by those of `index`, round by round: the median and its interval.
  std::string Ratio(std::size_t other, std::size_t index) const {
    std::vector<double> logs;
    for (std::size_t round = 0; round < kRounds; ++round) {
      logs.push_back(std::log(contenders_[other].NsPerOperation()[round] /
                              contenders_[index].NsPerOperation()[round]));
    }
    const auto interval = *stats::MedianConfidenceInterval(logs);
    return fmt::format("{}x [{} .. {}]", Digits(std::exp(stats::Median(logs))),
                       Digits(std::exp(interval.low)), Digits(std::exp(interval.high)));
  }

  // Time, and how much faster than the first.
  std::string Cell(std::size_t index) const {
    return index == 0 ? Time(0) : fmt::format("{}, {}", Time(index), Ratio(0, index));
  }

 private:
  // Nanoseconds of a run of the small size; the shortest, so that what the machine does besides
  // decides nothing.
  double ShortestRun(const std::string& spec) const {
    Contender small(spec, sizes_.small, workers_);
    double shortest = std::numeric_limits<double>::infinity();
    for (int run = 0; run < 5; ++run) {
      shortest = std::min(shortest, small.RunRound() * sizes_.small_operations);
    }
    return shortest;
  }

  const Sizes& sizes_;
  const std::uint64_t workers_;
  std::deque<Contender> contenders_;
  std::vector<bool> small_;
};

// ---- Rows ----

// Rows by their name, in the order in which they first got a cell; cells by column.
class Rows {
 public:
  explicit Rows(std::size_t columns)
      : columns_(columns) {
  }

  void Set(const std::string& name, std::size_t column, std::string cell) {
    auto row = std::ranges::find(rows_, name, &Row::name);
    if (row == rows_.end()) {
      row = rows_.insert(row, {.name = name, .cells = std::vector<std::string>(columns_)});
    }
    row->cells[column] = std::move(cell);
  }

  void Print(const char* workload) const {
    for (const Row& row : rows_) {
      fmt::print("| {} | {} |", workload, row.name);
      for (const std::string& cell : row.cells) {
        fmt::print(" {} |", cell);
      }
      fmt::print("\n");
    }
    std::fflush(stdout);
  }

 private:
  struct Row {
    std::string name;
    std::vector<std::string> cells;
  };

  const std::size_t columns_;
  std::vector<Row> rows_;
};

void PrintHead(const char* rows, bool unlimited) {
  fmt::print("| workload | {} | 1 worker | 2 workers | 4 workers |{}\n", rows,
             unlimited ? " no limit |" : "");
  fmt::print("|---|---|---|---|---|{}\n", unlimited ? "---|" : "");
}

// ---- The tables ----

bool HasField(const registry::SchedulerEntry& entry, std::string_view field) {
  return entry.schema().FindLeaf(field) != nullptr;
}

std::vector<std::string> Names(
    const std::function<bool(const registry::SchedulerEntry& entry)>& select) {
  std::vector<std::string> names;
  for (const registry::SchedulerEntry* const entry : registry::Schedulers()) {
    if (entry->name != kBaseline && select(*entry)) {
      names.emplace_back(entry->name);
    }
  }
  return names;
}

void Fill(Rows& rows, std::size_t column, const Sizes& sizes, std::uint64_t workers,
          const std::vector<std::string>& names) {
  Group group(sizes, workers);
  group.Add(kBaseline);
  for (const std::string& name : names) {
    group.Add(name);
  }
  group.Measure();
  // In a column of another table the baseline stands already.
  if (column < std::size(kWorkers)) {
    rows.Set(fmt::format("`{}`", kBaseline), column, group.Cell(0));
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    rows.Set(fmt::format("`{}`", names[i]), column, group.Cell(i + 1));
  }
}

void PrintAll() {
  const auto sized = Names([](const auto& entry) { return SizeField(entry) != nullptr; });
  const auto unlimited = Names([](const auto& entry) {
    return SizeField(entry) == nullptr && HasField(entry, "max_threads");
  });
  const auto single = Names([](const auto& entry) {
    return SizeField(entry) == nullptr && !HasField(entry, "max_threads");
  });
  fmt::print(
      "### All\n\n"
      "Time of an operation, median of {} interleaved rounds, and how much faster that is than\n"
      "`{}`, with the 95 % interval; below 1 it is slower. It is the median of the ratios of the\n"
      "rounds: where these come in two speeds, not the ratio of the medians. An unbounded pool\n"
      "is compared with `{}` with two workers. *: slow; the workload was made "
      "smaller.\n\n",
      kRounds, kBaseline, kBaseline);
  PrintHead("scheduler", true);
  for (const Sizes& sizes : kWorkloads) {
    Rows rows(std::size(kWorkers) + 1);
    for (std::size_t column = 0; column < std::size(kWorkers); ++column) {
      std::vector<std::string> names = sized;
      if (kWorkers[column] == 1) {
        names.insert(names.end(), single.begin(), single.end());
      }
      Fill(rows, column, sizes, kWorkers[column], names);
    }
    Fill(rows, std::size(kWorkers), sizes, 2, unlimited);
    rows.Print(sizes.name);
  }
}

// What one lock and a wake-up of all at each submit costs each variant, and what it does to the
// differences.
void PrintNotify() {
  const auto names = Names([](const auto& entry) {
    return HasField(entry, "notify") && !HasField(entry, "local_queue");
  });
  fmt::print(
      "\n### Waking all\n\n"
      "The variants of the toucan report with `notify=one` → with `notify=all_under_lock`, and how "
      "much\n"
      "slower that is. Last, what both leave of the differences.\n\n");
  PrintHead("variant", false);
  for (const Sizes& sizes : kWorkloads) {
    Rows rows(std::size(kWorkers));
    for (std::size_t column = 0; column < std::size(kWorkers); ++column) {
      Group group(sizes, kWorkers[column]);
      group.Add(kBaseline);
      for (const std::string& name : names) {
        group.Add(name);
        group.Add(name + ":notify=all_under_lock");
      }
      group.Measure();
      std::vector<double> one;
      std::vector<double> all;
      for (std::size_t i = 0; i < names.size(); ++i) {
        const std::size_t with_one = 1 + 2 * i;
        const std::size_t with_all = 2 + 2 * i;
        one.push_back(group.Ns(with_one));
        all.push_back(group.Ns(with_all));
        rows.Set(fmt::format("`{}`", names[i]), column,
                 fmt::format("{} → {}, {}", group.Time(with_one), group.Time(with_all),
                             group.Ratio(with_all, with_one)));
      }
      const auto [one_low, one_high] = std::ranges::minmax(one);
      const auto [all_low, all_high] = std::ranges::minmax(all);
      rows.Set("the slowest to the fastest of these", column,
               fmt::format("{}x → {}x", Digits(one_high / one_low), Digits(all_high / all_low)));
      rows.Set(
          fmt::format("the fastest to `{}`: how much faster", kBaseline), column,
          fmt::format("{}x → {}x", Digits(group.Ns(0) / one_low), Digits(group.Ns(0) / all_low)));
    }
    rows.Print(sizes.name);
  }
}

// `work_stealing` with each model of a queue in the place of the default one.
void PrintQueues() {
  constexpr const char* kScheduler = "work_stealing";
  std::vector<std::string> settings;
  for (const char* const field : {"local_queue", "global_queue"}) {
    const config::FieldInfo& info =
        *registry::FindScheduler(kScheduler)->schema().FindLeaf(field)->field;
    for (const std::string_view choice : info.choices) {
      if (config::Value(std::string(choice)) != info.default_value) {
        settings.push_back(fmt::format("{}={}", field, choice));
        if (choice == "take_all") {  // all that can be taken as a whole only goes with these
          settings.back() += ",local_queue=mutex,global_grab=all";
        }
      }
    }
  }
  fmt::print(
      "\n### Queues\n\n"
      "`work_stealing` with other queues, and how much faster that is than with the default "
      "ones.\n\n");
  PrintHead("`work_stealing` with", false);
  for (const Sizes& sizes : kWorkloads) {
    Rows rows(std::size(kWorkers));
    for (std::size_t column = 0; column < std::size(kWorkers); ++column) {
      Group group(sizes, kWorkers[column]);
      group.Add(kScheduler);
      for (const std::string& setting : settings) {
        group.Add(fmt::format("{}:{}", kScheduler, setting));
      }
      group.Measure();
      rows.Set("the default ones", column, group.Cell(0));
      for (std::size_t i = 0; i < settings.size(); ++i) {
        rows.Set(fmt::format("`{}`", settings[i]), column, group.Cell(i + 1));
      }
    }
    rows.Print(sizes.name);
  }
}

}  // namespace

void PrintEveryScheduler() {
  PrintAll();
  PrintNotify();
  PrintQueues();
}

}  // namespace schedbench::tests
