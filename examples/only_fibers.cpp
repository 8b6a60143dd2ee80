// Fibers without the tool: three fibers square numbers that another one sends.
#include "fibers/sched/go.hpp"
#include "fibers/sync/channel.hpp"
#include "fibers/sync/wait_group.hpp"
#include "schedulers/fast/make_pool.hpp"

#include <iostream>

namespace fibers = schedbench::fibers;
namespace fast = schedbench::schedulers::fast;

int main() {
  fast::FastConfig config;
  config.workers.value = 2;  // 0, the default: one per CPU
  const auto scheduler = fast::MakePool(config);

  constexpr int kSquarers = 3;
  fibers::Channel<int> numbers(4);
  fibers::Channel<int> squares(4);
  fibers::WaitGroup squarers;
  squarers.Add(kSquarers);

  fibers::Go(*scheduler, [&numbers] {
    for (int number = 1; number <= 100; ++number) {
      numbers.Send(number);
    }
    numbers.Close();
  });
  for (int i = 0; i < kSquarers; ++i) {
    fibers::Go(*scheduler, [&] {
      while (const auto number = numbers.ReceiveOrClosed()) {
        squares.Send(*number * *number);
      }
      squarers.Done();
    });
  }
  fibers::Go(*scheduler, [&] {
    squarers.Wait();
    squares.Close();
  });

  int sum = 0;
  fibers::WaitGroup done;
  done.Add(1);
  fibers::Go(*scheduler, [&] {
    while (const auto square = squares.ReceiveOrClosed()) {
      sum += *square;
    }
    done.Done();
  });
  done.Wait();  // a thread may wait too: it sleeps
  std::cout << "the sum of the squares of 1 to 100 is " << sum << "\n";
}
