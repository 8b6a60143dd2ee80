#pragma once

#include <cstddef>

namespace schedbench {

// A singly linked list node: derive T from IntrusiveNode<T>. It is in at most one list at a time.
template <typename T>
struct IntrusiveNode {
  T* next = nullptr;
};

// A FIFO list through the nodes themselves: no allocation, O(1) append of a whole list.
// Not thread-safe: its owner guards it.
template <typename T>
class IntrusiveList {
 public:
  IntrusiveList() = default;

  IntrusiveList(IntrusiveList&& other) noexcept
      : head_(other.head_),
        tail_(other.tail_),
        size_(other.size_) {
    other.Reset();
  }

  IntrusiveList& operator=(IntrusiveList&&) = delete;

  void PushBack(T* node) noexcept {
    node->IntrusiveNode<T>::next = nullptr;
    if (tail_ == nullptr) {
      head_ = node;
    } else {
      tail_->IntrusiveNode<T>::next = node;
    }
    tail_ = node;
    ++size_;
  }

  void PushFront(T* node) noexcept {
    node->IntrusiveNode<T>::next = head_;
    head_ = node;
    if (tail_ == nullptr) {
      tail_ = node;
    }
    ++size_;
  }

  // Returns null when empty.
  T* TryPopFront() noexcept {
    T* node = head_;
    if (node == nullptr) {
      return nullptr;
    }
    head_ = node->IntrusiveNode<T>::next;
    if (head_ == nullptr) {
      tail_ = nullptr;
    }
    node->IntrusiveNode<T>::next = nullptr;
    --size_;
    return node;
  }

  // Moves all of `other` behind the last node, in O(1).
  void Append(IntrusiveList&& other) noexcept {
    if (other.head_ == nullptr) {
      return;
    }
    if (tail_ == nullptr) {
      head_ = other.head_;
    } else {
      tail_->IntrusiveNode<T>::next = other.head_;
    }
    tail_ = other.tail_;
    size_ += other.size_;
    other.Reset();
  }

  // Calls `visit` with each node, first to last.
  template <typename Visit>
  void ForEach(Visit visit) const {
    for (const T* node = head_; node != nullptr; node = node->IntrusiveNode<T>::next) {
      visit(*node);
    }
  }

  template <typename Visit>
  void ForEach(Visit visit) {
    for (T* node = head_; node != nullptr; node = node->IntrusiveNode<T>::next) {
      visit(*node);
    }
  }

  std::size_t Size() const noexcept {
    return size_;
  }

  bool IsEmpty() const noexcept {
    return head_ == nullptr;
  }

 private:
  void Reset() noexcept {
    head_ = nullptr;
    tail_ = nullptr;
    size_ = 0;
  }

  T* head_ = nullptr;
  T* tail_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace schedbench
