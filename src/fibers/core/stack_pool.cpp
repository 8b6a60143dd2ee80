#include "fibers/core/stack_pool.hpp"

#include "base/assert.hpp"
#include "base/failure.hpp"
#include "platform/memory.hpp"

#include <string>
#include <utility>

namespace schedbench::fibers {

namespace {

// Stacks at the same distance compete for the same few cache sets. So the tops differ by one line, over half a
// page: over all of it, the frames below the header would touch a second page more often.
constexpr std::size_t kColourBytes = 64;
constexpr std::size_t kColours = 32;

}  // namespace

StackPool::StackPool(const StackConfig& config)
    : config_(config) {
}

StackPool::Owner StackPool::Make(const StackConfig& config) {
  return Owner(new StackPool(config));
}

void StackPool::Retire::operator()(StackPool* pool) const noexcept {
  if (pool->AllAreBack()) {
    delete pool;
  }
}

StackPool::~StackPool() {
  SB_ASSERT(idle_.Size() == created_.size(), "a suspended fiber lives on one of the stacks");
  for (Continuation* continuation : created_) {
    continuation->Destroy();
  }
  for (char* slab : slabs_) {
    platform::ReleaseMemory(slab, kStacksPerSlab * config_.bytes);
  }
}

bool StackPool::AllAreBack() noexcept {
  const platform::MutexLock lock(mutex_);
  return idle_.Size() == created_.size();
}

StackPool& StackPool::Default() {
  static StackPool* const pool = new StackPool(StackConfig{});
  return *pool;
}

IntrusiveList<Continuation> StackPool::Take(std::size_t count) noexcept {
  IntrusiveList<Continuation> taken;
  const platform::MutexLock lock(mutex_);
  while (taken.Size() < count) {
    Continuation* continuation = idle_.TryPopFront();
    taken.PushBack(continuation != nullptr ? continuation : Create());
  }
  return taken;
}

void StackPool::GiveBack(IntrusiveList<Continuation>&& continuations) noexcept {
  const platform::MutexLock lock(mutex_);
  idle_.Append(std::move(continuations));
}

std::size_t StackPool::Created() noexcept {
  const platform::MutexLock lock(mutex_);
  return created_.size();
}

Continuation* StackPool::Create() noexcept {
  const std::size_t index = created_.size();
  const std::size_t place = index % kStacksPerSlab;
  if (place == 0) {
    auto* slab = static_cast<char*>(platform::ReserveMemory(kStacksPerSlab * config_.bytes));
    if (slab == nullptr) {
      FailRun("no memory for fiber stacks: " + std::to_string(index) + " stacks of " +
              std::to_string(config_.bytes) +
              " bytes are in use (limits: ulimit -v, vm.max_map_count, vm.overcommit_memory)");
    }
    slabs_.push_back(slab);
  }
  char* lowest = slabs_.back() + place * config_.bytes;
  Guard(lowest);
  created_.push_back(
      Continuation::Create(lowest, config_.bytes, index % kColours * kColourBytes, *this));
  return created_.back();
}

void StackPool::Guard(void* page) noexcept {
  const StackGuard guard = config_.guard;
  if (guard == StackGuard::kNone) {
    return;
  }
  if (guard != StackGuard::kMprotect && !madvise_refused_) {
    if (platform::InstallGuard(page, platform::GuardKind::kLightweight)) {
      return;
    }
    madvise_refused_ = true;
  }
  if (guard == StackGuard::kMadvise) {
    FailRun(
        "guard pages by madvise need Linux 6.13 or later; set stacks.guard to auto or mprotect");
  }
  // Each guard splits a mapping in two; the other half of the limit is for everybody else.
  const std::size_t limit = platform::MaxMappings() / 4;
  if (mprotect_guards_ >= limit || !platform::InstallGuard(page, platform::GuardKind::kProtected)) {
    FailRun("no more guard pages after " + std::to_string(mprotect_guards_) +
            " fiber stacks: raise the limit (sysctl vm.max_map_count) or set stacks.guard to none");
  }
  ++mprotect_guards_;
}

void StackCache::PutSlow(Continuation& continuation) noexcept {
  IntrusiveList<Continuation> surplus;
  surplus.PushBack(&continuation);
  if (&continuation.Pool() == pool_) {
    while (surplus.Size() < kBatch) {
      surplus.PushBack(idle_.TryPopFront());
    }
  }
  continuation.Pool().GiveBack(std::move(surplus));
}

}  // namespace schedbench::fibers
