// Models of the library below schedulers/queues/moodycamel_queue.hpp, with blocks and tables so small that a few tasks fill
// them. What the queue shares with the others is in global_queues.cpp.
#include "schedulers/queues/moodycamel_queue.hpp"
#include "tests/sim/models/global_scene.hpp"
#include "tests/sim/models/support.hpp"

#include <array>
#include <cstddef>

namespace schedbench::sim {

namespace {

using executors::TaskBase;
using schedulers::TaskList;

// NOLINTBEGIN(readability-identifier-naming): the library's names
struct SmallTraits : moodycamel::ConcurrentQueueDefaultTraits {
  static constexpr std::size_t BLOCK_SIZE = 2;
  static constexpr std::size_t IMPLICIT_INITIAL_INDEX_SIZE = 2;  // blocks of a producer
  static constexpr std::size_t INITIAL_IMPLICIT_PRODUCER_HASH_SIZE = 4;
};
// NOLINTEND(readability-identifier-naming)

using SmallQueue = schedulers::BasicMoodycamelQueue<SmallTraits>;

const ModelRegistration kBlocks{{
    .name = "moodycamel/many_blocks",
    .claim = "each task is taken exactly once while a producer needs more and more blocks",
    .limits = {.preemptions = 3, .stale_reads = 1},
    .body =
        [] {
          GlobalScene<SmallQueue, 6> scene;
          platform::Thread taker("taker", [&] {
            std::array<TaskBase*, 3> batch{};
            const std::size_t count = scene.queue.Grab(batch, 1);
            for (std::size_t i = 0; i < count; ++i) {
              scene.Take(batch[i]);
            }
          });
          scene.Push(0);
          scene.Append(1, 4);
          scene.TakeOne();
          scene.Push(5);
          taker.Join();
          scene.CheckEnd();
        },
}};

const ModelRegistration kFirstPushes{{
    .name = "moodycamel/first_pushes",
    .claim = "producers that come at the same time do not lose or disorder each other's tasks",
    .limits = {.preemptions = 2, .stale_reads = 1},
    .body =
        [] {
          GlobalScene<SmallQueue, 4> scene;
          const auto produce = [&](std::size_t first) {
            return platform::Thread("producer", [&scene, first] {
              scene.Push(first);
              scene.Push(first + 1);
            });
          };
          platform::Thread one = produce(0);
          platform::Thread two = produce(2);
          std::array<std::size_t, 2> taken{};  // of each producer
          const auto take_all = [&] {
            TaskList all = scene.queue.GrabAll();
            while (TaskBase* const task = all.TryPopFront()) {
              const std::size_t number = NumberOf(task);
              Check(number % 2 == taken[number / 2]++, "tasks of one producer are out of order");
              scene.Take(task);
            }
          };
          take_all();
          one.Join();
          two.Join();
          take_all();
          scene.CheckEnd();
        },
}};

// What lies at which address, for those who look at races: the memory of a block is used again, and whoever does so must
// know that those before him are done with it.
class Places {
 public:
  Cell<int>& At(const void* address) {
    for (Entry& entry : entries_) {
      if (entry.address == nullptr) {
        entry.address = address;
      }
      if (entry.address == address) {
        return entry.cell;
      }
    }
    Machine::Instance().Fail("there are more places than the model has thought of");
  }

 private:
  struct Entry {
    const void* address = nullptr;
    Cell<int> cell;
  };

  std::array<Entry, 32> entries_;
};

// An element whose every copy and end is seen.
class Element {
 public:
  Element(Places* places, int number) noexcept
      : places_(places),
        number_(number) {
    places_->At(this).Write(number_);
  }

  Element(const Element& other) noexcept
      : places_(other.places_),
        number_(other.Number()) {
    places_->At(this).Write(number_);
  }

  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): reads before it writes
  Element& operator=(const Element& other) noexcept {
    number_ = other.Number();
    places_->At(this).Write(number_);
    return *this;
  }

  ~Element() {
    places_->At(this).Write(-1);
  }

  int Number() const noexcept {
    Check(places_->At(this).Read() == number_, "an element is read that is none");
    return number_;
  }

 private:
  Places* const places_;
  int number_;
};

// The library itself, with such elements.
class ElementScene {
 public:
  // `blocks`: that exist from the start.
  explicit ElementScene(std::size_t blocks)
      : queue_(blocks * SmallTraits::BLOCK_SIZE) {
  }

  void Push(int number) {
    Check(queue_.enqueue(Element(&places_, number)), "no memory");
  }

  // At most `most`, 1 or 2; returns how many.
  std::size_t Take(std::size_t most) {
    std::array<Element, 2> batch{Element(&places_, -2), Element(&places_, -2)};
    const std::size_t count = queue_.try_dequeue_bulk(batch.begin(), most);
    for (std::size_t i = 0; i < count; ++i) {
      bool& is_taken = taken_[static_cast<std::size_t>(batch[i].Number())];
      Check(!is_taken, "an element is taken twice");
      is_taken = true;
    }
    return count;
  }

  // When all others are done, and elements 0 .. count - 1 pushed.
  void CheckEnd(std::size_t count) {
    while (Take(2) != 0) {
    }
    for (std::size_t i = 0; i < count; ++i) {
      Check(taken_[i], "an element is lost");
    }
  }

 private:
  Places places_;
  moodycamel::ConcurrentQueue<Element, SmallTraits> queue_;
  std::array<bool, 8> taken_{};
};

const ModelRegistration kElements{{
    .name = "moodycamel/elements",
    .claim = "no element is read before it is written",
    .limits = {.preemptions = 3, .stale_reads = 1},
    .body =
        [] {
          ElementScene scene(2);
          platform::Thread one("one", [&] {
            scene.Take(1);
          });
          platform::Thread two("two", [&] {
            scene.Take(2);
          });
          scene.Push(0);
          scene.Push(1);
          scene.Push(2);
          one.Join();
          two.Join();
          scene.CheckEnd(3);
        },
}};

const ModelRegistration kUsedAgain{{
    .name = "moodycamel/used_again",
    .claim = "no element is overwritten before it is read, where one thread empties each block",
    .limits = {.preemptions = 3, .stale_reads = 1},
    .body =
        [] {
          ElementScene scene(1);
          platform::Thread taker("taker", [&] {
            scene.Take(2);
            scene.Take(2);
            scene.Take(1);
          });
          for (int i = 0; i < 6; ++i) {
            scene.Push(i);
          }
          taker.Join();
          scene.CheckEnd(6);
        },
}};

// Who takes the last element of a block knows only that the others have counted theirs: the counter is released, and not
// acquired (the library's issue 404). On x86-64 and ARM nothing can come of it: what follows depends on the count.
const ModelRegistration kSharedBlock{{
    .name = "moodycamel/shared_block",
    .claim = "a block that two have emptied is used again before C++ says that both are done",
    .limits = {.preemptions = 2},
    .body =
        [] {
          ElementScene scene(1);
          scene.Push(0);
          scene.Push(1);
          platform::Thread taker("taker", [&] {
            scene.Take(1);
          });
          scene.Take(1);
          scene.Push(2);
          taker.Join();
          scene.CheckEnd(3);
        },
    .must_fail = true,
}};

// Where the exchange of the free list's head fails, the block that it finds instead is not acquired. On x86-64 and ARM
// nothing can come of it: a load by way of a pointer comes after that of the pointer.
const ModelRegistration kNewBlock{{
    .name = "moodycamel/new_block",
    .claim = "a block from the free list is looked at before C++ says that it is made",
    .limits = {.preemptions = 2, .stale_reads = 1},
    .body =
        [] {
          moodycamel::ConcurrentQueue<int, SmallTraits> queue(1);  // one block
          const auto push_and_take_two = [&queue] {
            queue.enqueue(1);
            queue.enqueue(2);
            std::array<int, 2> batch{};
            queue.try_dequeue_bulk(batch.begin(), batch.size());
          };
          platform::Thread other("other", push_and_take_two);
          push_and_take_two();
          queue.enqueue(3);
          other.Join();
        },
    .must_fail = true,
}};

const ModelRegistration kEmptyLook{{
    .name = "moodycamel/empty_look",
    .claim = "a look that finds nothing proves nothing: a task may be there that nobody takes",
    .limits = {.preemptions = 2},
    .body =
        [] {
          GlobalScene<schedulers::MoodycamelQueue, 2> scene;
          scene.Push(0);
          std::size_t others = 0;
          const auto look = [&] {
            return platform::Thread("looker", [&] {
              others += scene.TakeOne();
            });
          };
          platform::Thread late = look();
          look().Join();
          scene.Push(1);
          const bool found = scene.TakeOne() == 1;
          late.Join();
          Check(found || others == 2, "who knows of a task has not found it");
        },
    .must_fail = true,
}};

}  // namespace

}  // namespace schedbench::sim
