#pragma once

namespace schedbench::fibers {

// A node of a WaitList, on the stack of the fiber that waits. Derive T from WaitNode<T>.
template <typename T>
struct WaitNode {
  T* next = nullptr;
  T* previous = nullptr;
};

// A list of waiters, oldest first, with removal from the middle: O(1), no allocation. Not
// thread-safe: its owner guards it.
template <typename T>
class WaitList {
 public:
  WaitList() = default;
  WaitList(const WaitList&) = delete;
  WaitList& operator=(const WaitList&) = delete;

  // Adds the newest node. Requires: `node` is in no list.
  void PushBack(T* node) noexcept {
    node->WaitNode<T>::next = nullptr;
    node->WaitNode<T>::previous = tail_;
    (tail_ == nullptr ? head_ : tail_->WaitNode<T>::next) = node;
    tail_ = node;
  }

  // Takes out the oldest node and returns it; null when empty.
  T* TryPopFront() noexcept {
    T* const node = head_;
    if (node != nullptr) {
      head_ = node->WaitNode<T>::next;
      (head_ == nullptr ? tail_ : head_->WaitNode<T>::previous) = nullptr;
    }
    return node;
  }

  // Returns the oldest node without taking it out; null when empty.
  T* Front() const noexcept {
    return head_;
  }

  // Takes out `node` from any position. Requires: it is in this list.
  void Remove(T* node) noexcept {
    T* const next = node->WaitNode<T>::next;
    T* const previous = node->WaitNode<T>::previous;
    (previous == nullptr ? head_ : previous->WaitNode<T>::next) = next;
    (next == nullptr ? tail_ : next->WaitNode<T>::previous) = previous;
  }

  // Takes out all nodes. Returns the oldest, from which `next` leads to all others.
  T* TakeAll() noexcept {
    T* const head = head_;
    head_ = nullptr;
    tail_ = nullptr;
    return head;
  }

  // Returns whether the list is empty.
  bool IsEmpty() const noexcept {
    return head_ == nullptr;
  }

 private:
  T* head_ = nullptr;
  T* tail_ = nullptr;
};

}  // namespace schedbench::fibers
