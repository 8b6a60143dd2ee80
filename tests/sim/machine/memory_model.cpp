// The machine's memory: what a load may return, and what it makes known.
#include "tests/sim/machine/hash.hpp"
#include "tests/sim/machine/machine.hpp"

namespace schedbench::sim {

namespace {

using enum std::memory_order;

bool Acquires(std::memory_order order) noexcept {
  return order == acquire || order == acq_rel || order == seq_cst || order == consume;
}

bool Releases(std::memory_order order) noexcept {
  return order == release || order == acq_rel || order == seq_cst;
}

}  // namespace

Word Machine::NewWord(std::uint64_t value) noexcept {
  if (!running_) {
    return {.value = value, .id = 0};
  }
  Thread& self = Self();
  if (self.locations == kLocationsPerThread) {
    Fail("the model makes more than %u atomic variables in one thread", kLocationsPerThread);
  }
  return {.value = value,
          .id = Word::kMark | (current_ * kLocationsPerThread + self.locations++),
          .execution = execution_,
          .made = self.now.happened.steps[current_] + 1};
}

void Machine::DestroyLocation(Word& word) noexcept {
  if (!IsMine(word)) {
    return;
  }
  const std::uint32_t index = word.id ^ Word::kMark;
  if (word.execution != execution_ || index >= locations_.size()) {
    Fail("a variable is destroyed twice, or what lies there is overwritten");
  }
  Location& location = locations_[index];
  if (location.execution == execution_) {
    const VectorClock& happened = Self().now.happened;
    for (unsigned i = 0; i < started_; ++i) {
      if (i != current_ && location.used.steps[i] > happened.steps[i]) {
        Fail("data race: thread %u destroys an atomic variable that thread %u may still use",
             current_, i);
      }
    }
    location.destroyed = true;
  }
  word.id = kPoison;
}

Location& Machine::Find(const Word& word, const Place& where, const char* what) {
  const std::uint32_t index = word.id ^ Word::kMark;
  if (index >= locations_.size() || word.execution != execution_) {
    Fail("%s of freed memory at %s:%u", what, where.file_name(), where.line());
  }
  Location& location = locations_[index];
  if (location.execution != execution_) [[unlikely]] {
    location.execution = execution_;
    location.shared = all_shared_ || known_shared_[index] != 0;
    location.destroyed = false;
    location.only_user = static_cast<std::uint8_t>(current_);
    location.written = false;
    location.used = {};
    if (location.shared) {
      location.newest_sequential = 0;
      location.stale_streak.fill(0);
      location.queue_hash = 0;
      location.stores.clear();
      location.stores.push_back(
          {.value = word.value, .released = {}, .seen_by = {}, .hash = Fold(index, 0x1417)});
    }
  }
  const std::uint32_t maker = index / kLocationsPerThread;
  if (location.used.steps[current_] == 0 && maker != current_ &&
      word.made > Self().now.happened.steps[maker]) {
    Fail("data race: %s at %s:%u, by thread %u, of a variable that thread %u is making", what,
         where.file_name(), where.line(), current_, maker);
  }
  if (location.destroyed) {
    Fail("%s of a destroyed variable at %s:%u", what, where.file_name(), where.line());
  }
  return location;
}

Location* Machine::Use(const Word& word, bool write, const Place& where, const char* what) {
  if (!IsMine(word)) {
    return nullptr;
  }
  ++Self().operations;
  Location& location = Find(word, where, what);
  if (!location.shared) {
    if (location.only_user != current_) {
      location.only_user = Location::kUnclaimed;
    }
    location.written |= write;
    NoteUse(location, Self().now.happened.steps[current_] + 1);
    // A loop that waits for a private location would never end: taken for shared, it meets the
    // limit of steps.
    const bool endless = Self().operations > kManyOperations;
    if (endless || (location.only_user == Location::kUnclaimed && location.written)) {
      known_shared_[word.id ^ Word::kMark] = 1;
      End(Ending::kNewShared);
    }
    return nullptr;
  }
  Point(where);
  if (location.destroyed) {
    Fail("%s of a destroyed variable at %s:%u", what, where.file_name(), where.line());
  }
  NextStep();
  NoteUse(location, Self().now.happened.steps[current_]);
  return &location;
}

std::size_t Machine::ChooseStored(Location& location, std::size_t oldest) {
  const std::size_t newest = location.stores.size() - 1;
  const bool may = MayReadStale(location) && oldest < newest;
  const unsigned back =
      may ? chooser_->ChooseValue(static_cast<unsigned>(newest - oldest + 1), false) : 0;
  NoteStale(location, back);
  return newest - back;
}

bool Machine::MayReadStale(const Location& location) noexcept {
  return !std::exchange(Self().fresh, false) && !look_again_ &&
         stale_reads_ < limits_.stale_reads &&
         location.stale_streak[current_] < Location::kMaxStaleStreak;
}

void Machine::NoteStale(Location& location, unsigned choice) {
  std::uint8_t& streak = location.stale_streak[current_];
  if (choice == 0 && streak == 0) {
    return;
  }
  const auto number = static_cast<std::uint64_t>(&location - locations_.data());
  const std::uint64_t one = Fold(number, current_ + 0x57a1e);
  if (choice == 0) {
    streaks_ -= one * streak;
    streak = 0;
    return;
  }
  streaks_ += one;
  ++streak;
  ++stale_reads_;
  Record(Decision::Kind::kValue, choice);
}

std::uint64_t Machine::ReadFrom(Location& location, std::size_t index, std::memory_order order) {
  Thread& self = Self();
  Stored& stored = location.stores[index];
  std::uint32_t& seen = stored.seen_by.steps[current_];
  if (seen == 0) {
    seen = self.now.ordered.steps[current_];
  }
  if (Acquires(order)) {
    self.now.Join(stored.released);
  } else {
    self.read.Join(stored.released);
  }
  Learn(stored.hash);
  return stored.value;
}

void Machine::Append(Location& location, Word& word, std::uint64_t value, std::memory_order order,
                     const Knowledge* continued) {
  Thread& self = Self();
  const std::uint64_t previous = location.stores.back().hash;
  Stored& stored = location.stores.emplace_back();
  stored.value = value;
  stored.released = Releases(order) ? self.now : self.fenced;
  if (continued != nullptr) {
    stored.released.Join(*continued);
  }
  stored.seen_by.steps[current_] = self.now.ordered.steps[current_];
  Learn(previous);
  stored.hash = Fold(self.history, 0x5704e);
  if (order == seq_cst) {
    location.newest_sequential = location.stores.size() - 1;
  }
  word.value = value;
  Wrote();
}

std::uint64_t Machine::Load(const Word& word, std::memory_order order, const Place& where) {
  Location* location = Use(word, false, where, "load");
  if (location == nullptr) {
    return word.value;
  }
  order = Weakened(order, where);
  std::size_t oldest = location->OldestReadable(Self().now.ordered);
  if (order == seq_cst) {
    oldest = std::max(oldest, location->newest_sequential);
  }
  const std::uint64_t value = ReadFrom(*location, ChooseStored(*location, oldest), order);
  Trace("load", &word, value, where);
  return value;
}

void Machine::Store(Word& word, std::uint64_t value, std::memory_order order, const Place& where) {
  Location* location = Use(word, true, where, "store");
  if (location == nullptr) {
    word.value = value;
    return;
  }
  Append(*location, word, value, Weakened(order, where), nullptr);
  Trace("store", &word, value, where);
}

Location* Machine::BeginModify(Word& word, std::memory_order& order, const Place& where) {
  Location* location = Use(word, true, where, "read-modify-write");
  if (location != nullptr) {
    order = Weakened(order, where);
    Self().fresh = false;
  }
  return location;
}

void Machine::CommitModify(Location& location, Word& word, std::uint64_t value,
                           std::memory_order order, const Place& where) {
  ReadFrom(location, location.stores.size() - 1, order);
  const Knowledge continued = location.stores.back().released;
  Append(location, word, value, order, &continued);
  Trace("read-modify-write", &word, value, where);
}

unsigned Machine::ChooseRare(unsigned count) {
  if (spurious_ >= limits_.spurious) {
    return 0;
  }
  const unsigned choice = chooser_->ChooseValue(count, true);
  if (choice != 0) {
    ++spurious_;
    Record(Decision::Kind::kRare, choice);
  }
  return choice;
}

bool Machine::CompareExchange(Word& word, std::uint64_t& expected, std::uint64_t desired,
                              std::memory_order success, std::memory_order failure, bool weak,
                              const Place& where) {
  Location* location = Use(word, true, where, "compare-exchange");
  if (location == nullptr) {
    if (word.value != expected) {
      expected = word.value;
      return false;
    }
    word.value = desired;
    return true;
  }
  const bool split = IsSplit(where);
  success = Weakened(success, where);
  failure = failure == relaxed ? failure : Weakened(failure, where);

  // As a load that fails it may return any readable value other than `expected`.
  const HostVector<Stored>& stores = location->stores;
  const std::size_t oldest = location->OldestReadable(Self().now.ordered);
  unsigned count = 0;
  if (MayReadStale(*location) && !split) {
    for (std::size_t i = oldest; i + 1 < stores.size(); ++i) {
      count += stores[i].value != expected ? 1 : 0;
    }
  }
  const unsigned choice = count == 0 ? 0 : chooser_->ChooseValue(count + 1, false);
  NoteStale(*location, choice);
  if (choice != 0) {
    std::size_t index = stores.size() - 1;
    for (unsigned left = choice; left > 0;) {
      left -= stores[--index].value != expected ? 1 : 0;
    }
    expected = ReadFrom(*location, index, failure);
    Trace("exchange failed", &word, expected, where);
    return false;
  }
  const std::uint64_t newest = location->stores.back().value;
  if (newest != expected) {
    expected = ReadFrom(*location, location->stores.size() - 1, failure);
    Trace("exchange failed", &word, expected, where);
    return false;
  }
  if (weak && ChooseRare(2) != 0) {
    ReadFrom(*location, location->stores.size() - 1, failure);
    Learn(0x3eaf);
    Trace("exchange failed weakly", &word, newest, where);
    return false;
  }
  if (split) {
    ReadFrom(*location, location->stores.size() - 1, success);
    Point(where);
    NextStep();
    Append(*location, word, desired, success, nullptr);
    return true;
  }
  CommitModify(*location, word, desired, success, where);
  return true;
}

void Machine::Fence(std::memory_order order, const Place& where) {
  if (!running_) {
    return;
  }
  Thread& self = Self();
  ++self.operations;
  order = Weakened(order, where);
  if (order == seq_cst) {
    Point(where);
  }
  NextStep();
  if (Acquires(order)) {
    self.now.Join(self.read);
  }
  if (order == seq_cst) {
    self.now.ordered.Join(sequential_);
    sequential_ = self.now.ordered;
    Learn(sequential_hash_);
    sequential_hash_ = self.history;
  }
  if (Releases(order)) {
    self.fenced = self.now;
  }
  Trace("fence", nullptr, static_cast<std::uint64_t>(order), where);
}

void Machine::PassFullFence(Thread& thread) noexcept {
  thread.now.Join(thread.read);
  thread.now.ordered.Join(sequential_);
  sequential_ = thread.now.ordered;
  thread.fenced = thread.now;
  const std::uint64_t history = Fold(thread.history, sequential_hash_);
  state_ += history - thread.history;
  thread.history = history;
  sequential_hash_ = history;
}

void Machine::FenceAll(const Place& where) {
  if (!running_) {
    return;
  }
  ++Self().operations;
  Point(where);
  NextStep();
  PassFullFence(Self());
  for (unsigned thread = 0; thread < started_; ++thread) {
    if (thread != current_) {
      PassFullFence(threads_[thread]);
    }
  }
  PassFullFence(Self());
  Trace("fence of all threads", nullptr, 0, where);
}

}  // namespace schedbench::sim
