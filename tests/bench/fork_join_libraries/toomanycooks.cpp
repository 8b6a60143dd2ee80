// fib and nqueens with TooManyCooks: all calls of a node are spawned and awaited at once.
#define TMC_IMPL
#include "measure.hpp"

#include <tmc/all_headers.hpp>

namespace {

tmc::task<std::uint64_t> Fib(int n) {
  if (n < 2) {
    co_return static_cast<std::uint64_t>(n);
  }
  const auto [first, second] = co_await tmc::spawn_tuple(Fib(n - 1), Fib(n - 2));
  co_return first + second;
}

tmc::task<std::uint64_t> Queens(Board board) {
  if (board.rows == board.n) {
    co_return 1;
  }
  std::array<std::uint8_t, kMostQueens> columns;
  const std::size_t count = board.FreeColumns(columns);
  std::array<tmc::task<std::uint64_t>, kMostQueens> calls;
  for (std::size_t i = 0; i < count; ++i) {
    calls[i] = Queens(board.With(columns[i]));
  }
  std::uint64_t sum = 0;
  if (count > 0) {
    // The range has a name, because g++ 12 ends the life of an awaited range too early.
    const auto parts = co_await tmc::spawn_many(calls.begin(), count);
    for (const std::uint64_t part : parts) {
      sum += part;
    }
  }
  co_return sum;
}

}  // namespace

int main(int count, char** arguments) {
  tmc::cpu_executor().set_thread_count(WorkersOf(count, arguments)).init();
  return Measure(
      arguments, [](int n) { return tmc::post_waitable(tmc::cpu_executor(), Fib(n)).get(); },
      [](Board board) { return tmc::post_waitable(tmc::cpu_executor(), Queens(board)).get(); });
}
