#include "fibers/diagnostics/wait_report.hpp"

#include "fibers/diagnostics/fiber_facts.hpp"
#include "fibers/net/descriptor.hpp"
#include "fibers/sched/spawn.hpp"
#include "fibers/sync/blocked_thread.hpp"
#include "fibers/sync/mutex.hpp"
#include "fibers/sync/rw_lock.hpp"
#include "fibers/sync/wait_group.hpp"
#include "fibers/time/timer_service.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace schedbench::fibers {

namespace {

constexpr std::size_t kExamples = 3;
constexpr std::size_t kMaxCycles = 5;
constexpr std::size_t kMaxGroups = 50;

std::string NameOf(const FiberFacts& fiber) {
  return fiber.Name().empty() ? fmt::format("fiber {}", fiber.id)
                              : fmt::format("fiber {} '{}'", fiber.id, fiber.Name());
}

class Census {
 public:
  Census() {
    StackRegistry::ForEach([this](const StackSpot& stack) {
      FiberFacts::ForEachOn(stack, [this](const FiberFacts& facts) { fibers_.push_back(facts); });
    });
    std::ranges::sort(fibers_, {}, &FiberFacts::id);
    for (std::size_t i = 0; i < fibers_.size(); ++i) {
      by_id_.emplace(fibers_[i].id, i);
    }
  }

  const std::vector<FiberFacts>& Fibers() const {
    return fibers_;
  }

  // Returns the one fiber without which `fiber` cannot continue: the holder of its lock, or the
  // fiber that it joins. Returns null if there is none or it is gone.
  const FiberFacts* HolderFor(const FiberFacts& fiber) const {
    const void* const object = fiber.waiting.object;
    std::uint64_t holder = 0;
    switch (fiber.waiting.kind) {
      case WaitKind::kMutex:
        holder = Mutex::OwnerOf(static_cast<const Mutex*>(object));
        break;
      case WaitKind::kSharedLock:
      case WaitKind::kExclusiveLock: {
        const auto holders = RwLock::HoldersOf(static_cast<const RwLock*>(object));
        holder = holders.written ? holders.writer : 0;
        break;
      }
      case WaitKind::kJoin:
        holder = JoinState::FiberOf(static_cast<const JoinState*>(object));
        break;
      default:
        break;
    }
    const auto found = by_id_.find(holder);
    return found == by_id_.end() ? nullptr : &fibers_[found->second];
  }

  std::size_t IndexOf(const FiberFacts& fiber) const {
    return static_cast<std::size_t>(&fiber - fibers_.data());
  }

  // Returns text like "Mutex 0x1234, which fiber 5 'b' holds".
  std::string What(const Waiting& waiting) const {
    if (waiting.kind == WaitKind::kJoin) {
      return "the end of " +
             Joined(JoinState::FiberOf(static_cast<const JoinState*>(waiting.object)));
    }
    if (IsForDescriptor(waiting.kind)) {
      return Descriptor::WaitText(waiting);
    }
    std::string text(ToText(waiting.kind));
    if (waiting.object != nullptr) {
      text += fmt::format(" {}", waiting.object);
    }
    if (waiting.kind == WaitKind::kMutex) {
      text += fmt::format(", which {}",
                          Holder(Mutex::OwnerOf(static_cast<const Mutex*>(waiting.object))));
    } else if (waiting.kind == WaitKind::kWaitGroup) {
      text += fmt::format(", {} not done",
                          WaitGroup::CountOf(static_cast<const WaitGroup*>(waiting.object)));
    } else if (waiting.kind == WaitKind::kSharedLock || waiting.kind == WaitKind::kExclusiveLock) {
      const auto holders = RwLock::HoldersOf(static_cast<const RwLock*>(waiting.object));
      text += holders.written ? fmt::format(", which {}", Holder(holders.writer))
                              : fmt::format(", which {} {}", holders.readers,
                                            holders.readers == 1 ? "shares" : "share");
    }
    return text;
  }

 private:
  std::string Holder(std::uint64_t id) const {
    if (id == 0) {
      return "no fiber holds";
    }
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? fmt::format("fiber {} held when it ended", id)
                                 : NameOf(fibers_[found->second]) + " holds";
  }

  std::string Joined(std::uint64_t id) const {
    const auto found = by_id_.find(id);
    return found == by_id_.end() ? fmt::format("fiber {}", id) : NameOf(fibers_[found->second]);
  }

  std::vector<FiberFacts> fibers_;  // sorted by id
  std::unordered_map<std::uint64_t, std::size_t> by_id_;
};

// Each fiber waits for at most one fiber, so a walk from any fiber ends or closes a cycle.
std::vector<std::vector<const FiberFacts*>> Cycles(const Census& census) {
  std::vector<std::vector<const FiberFacts*>> cycles;
  std::vector<std::size_t> walk_of(census.Fibers().size(), 0);  // 0: not visited
  std::size_t walk = 0;
  for (const FiberFacts& start : census.Fibers()) {
    ++walk;
    const FiberFacts* at = &start;
    while (at != nullptr && walk_of[census.IndexOf(*at)] == 0) {
      walk_of[census.IndexOf(*at)] = walk;
      at = census.HolderFor(*at);
    }
    if (at == nullptr || walk_of[census.IndexOf(*at)] != walk) {
      continue;
    }
    std::vector<const FiberFacts*> cycle;
    const FiberFacts* const first = at;
    do {
      cycle.push_back(at);
      at = census.HolderFor(*at);
    } while (at != nullptr && at != first);
    cycles.push_back(std::move(cycle));
  }
  return cycles;
}

std::string CycleLines(const Census& census,
                       const std::vector<std::vector<const FiberFacts*>>& cycles) {
  std::string text;
  for (std::size_t i = 0; i < std::min(cycles.size(), kMaxCycles); ++i) {
    const char* label = "  cycle   ";
    for (const FiberFacts* fiber : cycles[i]) {
      text +=
          fmt::format("{}{} waits for {}\n", label, NameOf(*fiber), census.What(fiber->waiting));
      label = "          ";
    }
  }
  if (cycles.size() > kMaxCycles) {
    text += fmt::format("  and {} more cycles\n", cycles.size() - kMaxCycles);
  }
  return text;
}

std::string Examples(const std::vector<const FiberFacts*>& group) {
  std::string text;
  for (std::size_t i = 0; i < std::min(group.size(), kExamples); ++i) {
    text += (i == 0 ? "" : ", ") + NameOf(*group[i]);
  }
  return text + (group.size() > kExamples ? ", ..." : "");
}

std::string State(const Census& census, const FiberFacts& fiber) {
  return fiber.waiting.kind == WaitKind::kNothing
             ? fmt::format("running, or ready on executor {}", fiber.executor)
             : "waits for " + census.What(fiber.waiting);
}

std::string FiberLines(const Census& census) {
  // The wait, and the source location of the start.
  using Key = std::tuple<WaitKind, const void*, std::string_view, std::uint32_t>;
  std::map<Key, std::vector<const FiberFacts*>> groups;
  for (const FiberFacts& fiber : census.Fibers()) {
    groups[{fiber.waiting.kind, fiber.waiting.object, fiber.file, fiber.line}].push_back(&fiber);
  }
  std::string text;
  std::size_t shown = 0;
  for (const auto& [key, group] : groups) {
    if (++shown > kMaxGroups) {
      text += fmt::format("  and {} more kinds of waits\n", groups.size() - kMaxGroups);
      break;
    }
    const FiberFacts& first = *group.front();
    if (group.size() == 1) {
      text += fmt::format("  {}, started at {}:{}: {}\n", NameOf(first), first.file, first.line,
                          State(census, first));
    } else {
      text += fmt::format("  {} fibers, started at {}:{}: each {}\n          {}\n", group.size(),
                          first.file, first.line, State(census, first), Examples(group));
    }
  }
  return text;
}

}  // namespace

WaitReport WaitReport::Now(const executors::IExecutor* executor) {
  const Census census;
  const FiberCount count = FiberCount::Now();
  const auto cycles = Cycles(census);
  WaitReport report;
  report.never_begun = count.NeverBegun();
  report.unfinished = census.Fibers().size() + report.never_begun;
  report.cycles = cycles.size();
  for (const FiberFacts& fiber : census.Fibers()) {
    if (fiber.waiting.kind == WaitKind::kNothing && fiber.executor == executor) {
      ++report.ready;
    }
  }
  report.sleeping = TimerService::PendingOfProcess();
  report.lines = CycleLines(census, cycles) + FiberLines(census);
  if (report.never_begun > 0) {
    report.lines += fmt::format("  {} {} started and never run\n", report.never_begun,
                                report.never_begun == 1 ? "fiber was" : "fibers were");
  }
  for (const BlockedThread::Facts& thread : BlockedThread::All()) {
    ++report.threads;
    report.lines += fmt::format("  thread '{}' waits for {}\n", thread.name.data(),
                                census.What(thread.waiting));
  }
  return report;
}

}  // namespace schedbench::fibers
