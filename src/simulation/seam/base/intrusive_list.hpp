#pragma once

// Wraps src/base/intrusive_list.hpp for simulated time: a list touches the nodes that it links.

#include "simulation/machine/machine.hpp"

#include <utility>

// NOLINTNEXTLINE(readability-identifier-naming): the name of a class, which it renames.
#define IntrusiveList BareIntrusiveList
#include "src/base/intrusive_list.hpp"
#undef IntrusiveList

namespace schedbench {

template <typename T>
class IntrusiveList : public BareIntrusiveList<T> {
  using Base = BareIntrusiveList<T>;
  using Machine = sim_scaling::Machine;
  using Place = sim_scaling::Place;

 public:
  void PushBack(T* node, Place where = Place::current()) noexcept {
    Touch(node, Machine::Access::kStore, where);
    Base::PushBack(node);
  }

  void PushFront(T* node, Place where = Place::current()) noexcept {
    Touch(node, Machine::Access::kStore, where);
    Base::PushFront(node);
  }

  T* TryPopFront(Place where = Place::current()) noexcept {
    T* const node = Base::TryPopFront();
    if (node != nullptr) {
      Touch(node, Machine::Access::kUse, where);
    }
    return node;
  }

  void Append(IntrusiveList&& other) noexcept {
    Base::Append(std::move(other));
  }

 private:
  static void Touch(T* node, Machine::Access access, const Place& where) noexcept {
    Machine::Instance().Touch(node, sizeof(void*), access, where);
  }
};

}  // namespace schedbench
