#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::fibers {

// An index into all tables, reserved while the object lives. Indexes are reused and keys are not,
// so a key shows whether a value belongs to an earlier holder of the index.
class LocalPlace {
 public:
  // Takes a free index and a new key. Any thread.
  LocalPlace();
  ~LocalPlace();
  LocalPlace(const LocalPlace&) = delete;
  LocalPlace& operator=(const LocalPlace&) = delete;

  // Returns the index, which is below the largest number of objects that existed at one time.
  std::size_t Index() const noexcept {
    return index_;
  }

  // Returns the key, which is unique in the process and counts from 1.
  std::uint64_t Key() const noexcept {
    return key_;
  }

 private:
  std::size_t index_;
  std::uint64_t key_;
};

// The fiber-local values of one fiber, or of a thread outside of fibers. Only its owner uses it.
class LocalTable {
 public:
  LocalTable() = default;
  // Destroys the values, newest first, and those that their destructors make.
  ~LocalTable();
  LocalTable(const LocalTable&) = delete;
  LocalTable& operator=(const LocalTable&) = delete;

  // Returns the table of the running fiber, otherwise of the thread. A fiber may keep its own.
  static LocalTable& Current();

  // Returns the value, or null.
  void* Find(const LocalPlace& place) const noexcept {
    return place.Index() < entries_.size() && entries_[place.Index()].key == place.Key()
               ? entries_[place.Index()].value
               : nullptr;
  }

  // Stores `value`, which `destroy` will end. Requires: there is no value yet. Returns the value to
  // use. If an earlier value's destructor has made one, Put() destroys `value` and returns that.
  void* Put(const LocalPlace& place, void* value, void (*destroy)(void*));

 private:
  struct Entry {
    std::uint64_t key = 0;  // 0 if the entry is empty
    void* value = nullptr;
    void (*destroy)(void*) = nullptr;
  };

  void Clear(std::size_t index);

  std::vector<Entry> entries_;         // the position is the index of the LocalPlace
  std::vector<std::size_t> in_order_;  // indexes in the order of creation
};

}  // namespace schedbench::fibers
