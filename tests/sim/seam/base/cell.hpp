#pragma once

// Replaces src/base/cell.hpp in programs that run on the simulated machine, which checks that the
// accesses are ordered.

#include "tests/sim/machine/machine.hpp"

#include <cstdint>
#include <utility>

namespace schedbench {

template <typename T>
class Cell {
 public:
  Cell() noexcept
      : Cell(T()) {
  }

  explicit Cell(T value) noexcept
      : id_(sim::Machine::Instance().NewCell()),
        value_(std::move(value)) {
  }

  ~Cell() {
    sim::Machine::Instance().DestroyCell(id_);
  }

  Cell(const Cell&) = delete;
  Cell& operator=(const Cell&) = delete;

  const T& Read(sim::Place where = sim::Place::current()) const noexcept {
    sim::Machine::Instance().ReadCell(id_, where);
    return value_;
  }

  void Write(T value, sim::Place where = sim::Place::current()) noexcept {
    sim::Machine::Instance().WriteCell(id_, where);
    value_ = std::move(value);
  }

 private:
  const std::uint32_t id_;
  T value_;
};

}  // namespace schedbench
