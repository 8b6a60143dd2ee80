// Plain memory that threads hand over, and which accesses to it race.
//
// A step that is still to come counts for a plain access: what the thread has released so far does
// not cover it.
#include "tests/sim/machine/machine.hpp"

namespace schedbench::sim {

std::uint32_t Machine::NewCell() noexcept {
  if (!running_) {
    return 0;
  }
  Thread& self = Self();
  if (self.cells == kLocationsPerThread) {
    Fail("the model makes more than %u cells in one thread", kLocationsPerThread);
  }
  const std::uint32_t index = current_ * kLocationsPerThread + self.cells++;
  CellHistory& cell = cells_[index];
  cell = CellHistory{};
  cell.writer = static_cast<std::uint8_t>(current_);
  cell.write_step = self.now.happened.steps[current_] + 1;
  return Word::kMark | index;
}

void Machine::DestroyCell(std::uint32_t id) noexcept {
  if (running_ && id != 0) {
    ClaimCell(id, "destroys", Place{});
    cells_[id ^ Word::kMark].destroyed = true;
  }
}

CellHistory& Machine::UseCell(std::uint32_t id, const char* what, const Place& where) {
  const std::uint32_t index = id ^ Word::kMark;
  if (index >= cells_.size() || cells_[index].destroyed) {
    Fail("thread %u %s freed memory at %s:%u", current_, what, where.file_name(), where.line());
  }
  CellHistory& cell = cells_[index];
  const VectorClock& happened = Self().now.happened;
  if (cell.writer != current_ && cell.write_step > happened.steps[cell.writer]) {
    Fail("data race: thread %u %s at %s:%u what thread %u writes", current_, what,
         where.file_name(), where.line(), cell.writer);
  }
  return cell;
}

CellHistory& Machine::ClaimCell(std::uint32_t id, const char* what, const Place& where) {
  CellHistory& cell = UseCell(id, what, where);
  const VectorClock& happened = Self().now.happened;
  for (unsigned i = 0; i < kMaxThreads; ++i) {
    if (i != current_ && cell.reads.steps[i] > happened.steps[i]) {
      Fail("data race: thread %u %s at %s:%u what thread %u reads", current_, what,
           where.file_name(), where.line(), i);
    }
  }
  return cell;
}

void Machine::ReadCell(std::uint32_t id, const Place& where) {
  if (running_ && id != 0) {
    CellHistory& cell = UseCell(id, "reads", where);
    cell.reads.steps[current_] = Self().now.happened.steps[current_] + 1;
  }
}

void Machine::WriteCell(std::uint32_t id, const Place& where) {
  if (running_ && id != 0) {
    CellHistory& cell = ClaimCell(id, "writes", where);
    cell.writer = static_cast<std::uint8_t>(current_);
    cell.write_step = Self().now.happened.steps[current_] + 1;
  }
}

}  // namespace schedbench::sim
