#include "fibers/core/stack_pool.hpp"

#include "base/assert.hpp"
#include "base/failure.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber_ids.hpp"
#include "platform/memory/memory.hpp"
#include "platform/threads/thread_errno.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <new>
#include <span>
#include <string>

namespace schedbench::fibers {

namespace {

// The places are on the stack of the fiber that suspends, where little may be left.
constexpr std::size_t kMadeAtOnce = platform::kMostPages;

// Each is set once: when the first timer starts, and when the first descriptor is opened.
std::array<Atomic<void (*)(const StackPool&)>, 2> abandon_hooks;

// Returns the config with at least four pages: a large guard page would leave too little.
StackConfig WithRoom(StackConfig config) {
  config.bytes.value =
      std::max(config.bytes.value, static_cast<std::uint32_t>(4 * platform::kPageBytes));
  return config;
}

}  // namespace

StackPool::StackPool(const StackConfig& config)
    : config_(WithRoom(config)),
      most_guards_(platform::MaxMappings() / 4) {
}

StackPool::Owner StackPool::Make(const StackConfig& config) {
  return Owner(new StackPool(config));
}

void StackPool::Retire::operator()(StackPool* pool) const noexcept {
  if (pool->AllReturned()) {
    delete pool;
    return;
  }
  pool->Abandon();
}

void StackPool::Abandon() const noexcept {
  for (const auto& place : abandon_hooks) {
    void (*hook)(const StackPool&) = nullptr;
    {
      const executors::SchedulerSide side;
      // acquire: pairs with the release in AddAbandonHook().
      hook = place.Load(memory_order_acquire);
    }
    if (hook != nullptr) {
      hook(*this);
    }
  }
}

void StackPool::AddAbandonHook(void (*hook)(const StackPool&)) noexcept {
  for (auto& place : abandon_hooks) {
    void (*expected)(const StackPool&) = nullptr;
    // release: pairs with the acquire in Abandon(). relaxed: the next element is tried.
    if (place.CompareExchange(expected, hook, memory_order_release, memory_order_relaxed)) {
      return;
    }
  }
  SB_ASSERT(false, "more hooks than entries");
}

StackPool::~StackPool() {
  SB_ASSERT(idle_.size() == created_, "a suspended fiber lives on one of the stacks");
  std::uint64_t ended = 0;
  for (FiberStack* const fiber_stack : idle_) {
    ended += fiber_stack->FibersEnded();
    fiber_stack->Destroy();
  }
  FiberIds::AddEnded(ended);
  for (const Slab& slab : slabs_) {
    StackRegistry::Remove(*slab.record);
    platform::ReleaseMemory(slab.lowest, SlabBytes());
  }
}

bool StackPool::Contains(const void* address) const noexcept {
  const auto* const at = static_cast<const char*>(address);
  const platform::MutexLock lock(mutex_);
  return std::ranges::any_of(slabs_, [&](const Slab& slab) {
    return at >= slab.lowest && at < slab.lowest + SlabBytes();
  });
}

bool StackPool::AllReturned() noexcept {
  const platform::MutexLock lock(mutex_);
  return idle_.size() == created_;
}

StackPool& StackPool::Default() {
  static StackPool* const pool = new StackPool(StackConfig{});
  return *pool;
}

void StackPool::Take(std::span<FiberStack*> out) noexcept {
  const int error = platform::ThreadErrno();  // A switch leaves errno as it was.
  for (std::size_t taken = 0; taken < out.size();) {
    std::array<Place, kMadeAtOnce> places;
    std::size_t places_count = 0;
    {
      const platform::MutexLock lock(mutex_);
      batches_taken_ += taken == 0 ? 1 : 0;
      const std::size_t count = std::min(out.size() - taken, idle_.size());
      std::copy(idle_.end() - static_cast<std::ptrdiff_t>(count), idle_.end(),
                out.begin() + static_cast<std::ptrdiff_t>(taken));
      idle_.resize(idle_.size() - count);
      taken += count;
      while (taken + places_count < out.size() && places_count < places.size()) {
        places[places_count++] = NextPlace();
      }
      created_ += places_count;
      ReserveIdle();
    }
    // The kernel clears a page for each stack, so this is outside of the lock, where all other
    // workers would wait for it.
    Prepare({places.data(), places_count});
    for (std::size_t i = 0; i < places_count; ++i) {
      out[taken++] = Create(places[i]);
    }
  }
  platform::SetThreadErrno(error);
}

void StackPool::ReserveIdle() noexcept {
  if (idle_.capacity() >= created_) {
    return;
  }
  try {
    idle_.reserve(std::max(kStacksPerSlab, 2 * created_));
  } catch (const std::bad_alloc&) {
    FailRun("no memory for the list of " + std::to_string(created_) + " fiber stacks",
            FailureKind::kLimit);
  }
}

void StackPool::GiveBack(std::span<FiberStack* const> fiber_stacks) noexcept {
  const platform::MutexLock lock(mutex_);
  idle_.insert(idle_.end(), fiber_stacks.begin(), fiber_stacks.end());
}

std::size_t StackPool::Created() const noexcept {
  const platform::MutexLock lock(mutex_);
  return created_;
}

void StackPool::Count(metrics::PoolMetrics& pool) const noexcept {
  const platform::MutexLock lock(mutex_);
  pool.stacks_made.Add(created_);
  pool.stack_refills.Add(batches_taken_);
}

StackPool::Place StackPool::NextPlace() noexcept {
  const std::size_t index = places_++;
  const std::size_t place = index % kStacksPerSlab;
  if (place == 0) {
    auto* slab = static_cast<char*>(platform::ReserveMemory(SlabBytes()));
    if (slab == nullptr) {
      FailRun("no memory for fiber stacks: " + std::to_string(index) + " stacks of " +
                  std::to_string(config_.bytes) +
                  " bytes are in use (limits: ulimit -v, vm.max_map_count, vm.overcommit_memory)",
              FailureKind::kLimit);
    }
    const bool guarded = config_.guard != StackGuard::kNone;
    slabs_.push_back({.lowest = slab, .record = &StackRegistry::Add(slab, config_.bytes, guarded)});
  }
  Slab& slab = slabs_.back();
  return {.lowest = slab.lowest + place * StackRegistry::StrideBytes(config_.bytes),
          .index = place,
          .record = slab.record};
}

// Makes the guard pages, and gives RAM to the pages of the headers, which Create() writes to: two
// system calls for all places, where the kernel has them.
void StackPool::Prepare(std::span<const Place> places) noexcept {
  if (places.empty()) {
    return;
  }
  std::array<void*, kMadeAtOnce> pages;
  const std::span<void* const> used(pages.data(), places.size());
  const bool lightweight =
      config_.guard == StackGuard::kAuto || config_.guard == StackGuard::kMadvise;
  bool batches = !batches_refused_.Load(memory_order_relaxed);  // relaxed: a hint
  std::ranges::transform(places, pages.begin(), &Place::lowest);
  if (batches && lightweight) {
    batches = platform::InstallGuards(used);
  }
  if (!batches || !lightweight) {
    std::ranges::for_each(used, [this](void* page) { Guard(page); });
  }
  if (batches) {
    std::ranges::transform(places, pages.begin(), [this](const Place& place) {
      const auto header = reinterpret_cast<std::uintptr_t>(
          FiberStack::Of(place.lowest, config_.bytes, place.index));
      return reinterpret_cast<void*>(header / platform::kPageBytes * platform::kPageBytes);
    });
    batches = platform::PopulatePages(used);
  }
  if (!batches) {
    batches_refused_.Store(true, memory_order_relaxed);  // relaxed: a hint
  }
}

FiberStack* StackPool::Create(const Place& place) noexcept {
  FiberStack* const fiber_stack =
      FiberStack::Create(place.lowest, config_.bytes, place.index, *this);
  StackRegistry::AddStack(*place.record, place.index);
  return fiber_stack;
}

void StackPool::Guard(void* page) noexcept {
  const StackGuard guard = config_.guard;
  if (guard == StackGuard::kNone) {
    return;
  }
  if (guard != StackGuard::kMprotect && !madvise_refused_.Load(memory_order_relaxed)) {
    if (platform::InstallGuard(page, platform::GuardKind::kLightweight)) {
      return;
    }
    madvise_refused_.Store(true, memory_order_relaxed);
  }
  if (guard == StackGuard::kMadvise) {
    FailRun("guard pages by madvise need Linux 6.13 or later; set stacks.guard to auto or mprotect",
            FailureKind::kLimit);
  }
  const std::size_t guards = mprotect_guards_.FetchAdd(1, memory_order_relaxed);
  if (guards >= most_guards_ || !platform::InstallGuard(page, platform::GuardKind::kProtected)) {
    FailRun(
        "no more guard pages after " + std::to_string(guards) +
            " fiber stacks: raise the limit (sysctl vm.max_map_count) or set stacks.guard to none",
        FailureKind::kLimit);
  }
}

void StackCache::Refill() noexcept {
  // The first batches are 16 together, so that later ones begin where a batch of the pool begins.
  idle_count_ = std::clamp<std::size_t>(taken_from_pool_, 1, kBatch);
  pool_->Take({idle_.data(), idle_count_});
  taken_from_pool_ += idle_count_;
}

void StackCache::PutSlow(FiberStack& fiber_stack) noexcept {
  if (&fiber_stack.Pool() != pool_) {
    FiberStack* const foreign = &fiber_stack;
    fiber_stack.Pool().GiveBack({&foreign, 1});
    return;
  }
  idle_count_ -= kBatch;
  pool_->GiveBack({idle_.data() + idle_count_, kBatch});
  Put(fiber_stack);
}

}  // namespace schedbench::fibers
