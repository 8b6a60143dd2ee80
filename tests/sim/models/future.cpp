// Models of src/futures: the second side at the rendezvous deals with the result, and the state is
// freed once.
#include "fibers/sched/go.hpp"
#include "futures/combine.hpp"
#include "futures/then.hpp"
#include "tests/sim/models/small_pool.hpp"
#include "tests/sim/models/support.hpp"

#include <stdexcept>
#include <utility>
#include <vector>

namespace schedbench::sim::future_model {

namespace {

using futures::Future;
using futures::MakeContract;
using futures::Promise;
using futures::Result;

constexpr Limits kLimits{.preemptions = 4, .stale_reads = 1, .spurious = 1};

// Something that only its receiver may read and free.
using Payload = Cell<int>*;

Result<Payload> NewPayload(int value) {
  return Result<Payload>(new Cell<int>(value));
}

void CheckAndFree(Payload payload, int value) {
  Check(payload->Read() == value, "what was written before the result is not seen");
  delete payload;
}

const ModelRegistration kGet{{
    .name = "future/thread_gets",
    .claim = "Get returns after Set, sees what was written before it, and the state is freed once",
    .limits = kLimits,
    .body =
        [] {
          auto [future, promise] = MakeContract<Payload>();
          platform::Thread producer("producer",
                                    [&promise = promise] { promise.Set(NewPayload(3)); });
          CheckAndFree(std::move(future).Get(), 3);
          producer.Join();
        },
}};

const ModelRegistration kFiberGets{{
    .name = "future/fiber_gets",
    .claim = "a fiber in Get is resumed once",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          auto contract = MakeContract<Payload>();
          SmallPool pool(1);
          fibers::Go(pool, [&contract] { CheckAndFree(std::move(contract.future).Get(), 3); });
          contract.promise.Set(NewPayload(3));
        },
}};

// Frees its payload unless it was moved from.
struct Owned {
  explicit Owned(Payload payload)
      : payload(payload) {
  }
  Owned(Owned&& other) noexcept
      : payload(std::exchange(other.payload, nullptr)) {
  }
  ~Owned() {
    if (payload != nullptr) {
      CheckAndFree(payload, 5);
    }
  }
  Payload payload;
};

template <bool Detaches>
void Drop() {
  auto [future, promise] = MakeContract<Owned>();
  platform::Thread producer(
      "producer", [&promise = promise] { promise.Set(Result<Owned>(Owned(new Cell<int>(5)))); });
  if (Detaches) {
    std::move(future).Detach();
  } else {
    const Future<Owned> destroyed(std::move(future));
  }
  producer.Join();
}

const ModelRegistration kDropped{{
    .name = "future/dropped",
    .claim = "a dropped result is thrown away once, whichever side comes first",
    .limits = kLimits,
    .body = &Drop<true>,
}};

const ModelRegistration kDestroyed{{
    .name = "future/destroyed",
    .claim = "the result of a future that is destroyed is thrown away once",
    .limits = kLimits,
    .body = &Drop<false>,
}};

const ModelRegistration kThen{{
    .name = "future/then",
    .claim = "a continuation runs once, after the result, whenever it is attached",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          SmallPool pool(1);
          auto first = futures::Submit(pool, [] { return new Cell<int>(1); });
          auto second = futures::Then(std::move(first), pool, [](Payload payload) {
            payload->Write(payload->Read() + 1);
            return payload;
          });
          CheckAndFree(std::move(second).Get(), 2);
        },
}};

const ModelRegistration kInner{{
    .name = "future/work_returns_a_future",
    .claim = "the inner result becomes the outer one, whichever is there first",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          SmallPool pool(2);
          auto future = futures::Submit(
              pool, [&pool] { return futures::Submit(pool, [] { return new Cell<int>(4); }); });
          CheckAndFree(std::move(future).Get(), 4);
        },
}};

// Gives both promises, each by a thread of its own.
template <typename T, typename Give>
void GiveBoth(std::vector<Promise<T>>& promises, Give give) {
  platform::Thread other("other", [&] { promises[1].Set(give(1)); });
  promises[0].Set(give(0));
  other.Join();
}

template <typename T>
std::pair<std::vector<Future<T>>, std::vector<Promise<T>>> TwoContracts() {
  std::pair<std::vector<Future<T>>, std::vector<Promise<T>>> two;
  for (int i = 0; i < 2; ++i) {
    auto contract = MakeContract<T>();
    two.first.push_back(std::move(contract.future));
    two.second.push_back(std::move(contract.promise));
  }
  return two;
}

const ModelRegistration kAll{{
    .name = "future/all",
    .claim = "All is ready after both, sees both, and frees all once",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          auto [futures, promises] = TwoContracts<Payload>();
          platform::Thread consumer("consumer", [&futures = futures] {
            const std::vector<Payload> values = futures::All(std::move(futures)).Get();
            CheckAndFree(values[0], 0);
            CheckAndFree(values[1], 1);
          });
          GiveBoth<Payload>(promises, &NewPayload);
          consumer.Join();
        },
}};

// `give`: what each of the two comes to. The consumer runs beside them.
template <typename Give>
void RunFirst(Give give, bool expect_value) {
  auto [futures, promises] = TwoContracts<Payload>();
  platform::Thread consumer("consumer", [&futures = futures, expect_value] {
    Result<Payload> result = futures::First(std::move(futures)).GetResult();
    Check(result.HasValue() == expect_value,
          "an error won over a value, or a value came of nothing");
    if (result.HasValue()) {
      CheckAndFree(std::move(result).Value(), 7);
    }
  });
  GiveBoth<Payload>(promises, give);
  consumer.Join();
}

Result<Payload> AnError() {
  return Result<Payload>(std::make_exception_ptr(7));
}

const ModelRegistration kFirst{{
    .name = "future/first_of_a_value_and_an_error",
    .claim = "First gives the value although an error comes at the same moment, and frees all once",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body = [] { RunFirst([](int i) { return i == 1 ? NewPayload(7) : AnError(); }, true); },
}};

const ModelRegistration kFirstOfErrors{{
    .name = "future/first_of_errors",
    .claim = "First gives an error once where all fail",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body = [] { RunFirst([](int /*i*/) { return AnError(); }, false); },
}};

const ModelRegistration kFirstOfValues{{
    .name = "future/first_of_values",
    .claim = "of two values at the same moment First gives one",
    .limits = {.preemptions = 3, .stale_reads = 1, .spurious = 0},
    .body =
        [] {
          std::array<Cell<int>, 2> values{Cell<int>(1), Cell<int>(2)};
          auto [futures, promises] = TwoContracts<Payload>();
          platform::Thread consumer("consumer", [&futures = futures] {
            const Payload first = futures::First(std::move(futures)).Get();
            Check(first->Read() != 0, "what was written before the result is not seen");
          });
          GiveBoth<Payload>(promises, [&](int i) {
            return Result<Payload>(&values[static_cast<std::size_t>(i)]);
          });
          consumer.Join();
        },
}};

}  // namespace

}  // namespace schedbench::sim::future_model
