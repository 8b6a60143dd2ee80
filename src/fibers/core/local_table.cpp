#include "fibers/core/local_table.hpp"

#include "base/attributes.hpp"
#include "executors/scheduler_side.hpp"
#include "fibers/core/fiber.hpp"
#include "fibers/core/fiber_thread.hpp"
#include "platform/threads/mutex.hpp"

#include <utility>

namespace schedbench::fibers {

namespace {

struct Places {
  platform::Mutex mutex;
  // Guarded by mutex.
  std::vector<std::size_t> free;
  std::size_t count = 0;
  std::uint64_t last_key = 0;
};

// Never freed, because static variables also return their indexes.
Places& AllPlaces() {
  static Places* const places = new Places;
  return *places;
}

// Not inlined, because its address must not be kept over a switch.
SB_NOINLINE LocalTable& OfThread() {
  asm volatile("" ::: "memory");
  thread_local LocalTable table;
  return table;
}

}  // namespace

LocalPlace::LocalPlace() {
  const executors::SchedulerSide side;
  Places& places = AllPlaces();
  const platform::MutexLock lock(places.mutex);
  key_ = ++places.last_key;
  if (places.free.empty()) {
    index_ = places.count++;
    places.free.reserve(places.count);  // so that the return of an index needs no memory
  } else {
    index_ = places.free.back();
    places.free.pop_back();
  }
}

LocalPlace::~LocalPlace() {
  const executors::SchedulerSide side;
  Places& places = AllPlaces();
  const platform::MutexLock lock(places.mutex);
  places.free.push_back(index_);
}

LocalTable& LocalTable::Current() {
  Fiber* const fiber = FiberThread::CurrentFiber();
  return fiber == nullptr ? OfThread() : fiber->Locals();
}

LocalTable::~LocalTable() {
  while (!in_order_.empty()) {
    const std::size_t newest = in_order_.back();
    in_order_.pop_back();
    Clear(newest);
  }
}

void* LocalTable::Put(const LocalPlace& place, void* value, void (*destroy)(void*)) {
  const std::size_t index = place.Index();
  if (index >= entries_.size()) {
    entries_.resize(index + 1);
  }
  if (entries_[index].key != 0) {
    std::erase(in_order_, index);
    Clear(index);  // the value of a variable that is gone
    if (entries_[index].key == place.Key()) {
      // The destructor of the old value has asked for this one.
      destroy(value);
      return entries_[index].value;
    }
  }
  in_order_.push_back(index);
  entries_[index] = {.key = place.Key(), .value = value, .destroy = destroy};
  return value;
}

void LocalTable::Clear(std::size_t index) {
  const Entry old = std::exchange(entries_[index], {});
  old.destroy(old.value);
}

}  // namespace schedbench::fibers
