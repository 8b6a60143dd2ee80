#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace schedbench::fibers {

// A place in all tables, for as long as it is held. Places are used again; keys are not, by which what an earlier holder
// left is known.
class LocalPlace {
 public:
  // Takes a free place, and a key that no other place ever has. Any thread.
  LocalPlace();
  ~LocalPlace();
  LocalPlace(const LocalPlace&) = delete;
  LocalPlace& operator=(const LocalPlace&) = delete;

  // Below the largest number of places held at one time.
  std::size_t Index() const noexcept {
    return index_;
  }

  // Unique in the process, from 1.
  std::uint64_t Key() const noexcept {
    return key_;
  }

 private:
  std::size_t index_;
  std::uint64_t key_;
};

// The fiber-local values of one fiber, or of a thread that runs none. Used only by its owner.
class LocalTable {
 public:
  LocalTable() = default;
  // Destroys the values, newest first, and those that their destructors make meanwhile.
  ~LocalTable();
  LocalTable(const LocalTable&) = delete;
  LocalTable& operator=(const LocalTable&) = delete;

  // Of the running fiber, else of the thread. Made at the first call. A fiber's may be kept by that fiber.
  static LocalTable& Current();

  // Null: there is none.
  void* Find(const LocalPlace& place) const noexcept {
    return place.Index() < entries_.size() && entries_[place.Index()].key == place.Key()
               ? entries_[place.Index()].value
               : nullptr;
  }

  // Takes `value` over, which `destroy` will end. Requires: there is none yet. Returns the value to use: another one where
  // the destructor of what lay in this place has asked for it meanwhile; then `value` is destroyed.
  void* Put(const LocalPlace& place, void* value, void (*destroy)(void*));

 private:
  struct Entry {
    std::uint64_t key = 0;  // 0: nothing
    void* value = nullptr;
    void (*destroy)(void*) = nullptr;
  };

  void Clear(std::size_t index);

  std::vector<Entry> entries_;         // by place
  std::vector<std::size_t> in_order_;  // of creation
};

}  // namespace schedbench::fibers
