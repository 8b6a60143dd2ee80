// fib and nqueens with citor: forkJoin of two calls, and parallelFor over the calls of a node. The
// calling thread is one of the workers.
#include "measure.hpp"

#include <citor.hpp>

namespace {

struct ForkHints : citor::HintsDefaults {};

std::uint64_t Fib(citor::ThreadPool& pool, int n) {
  if (n < 2) {
    return static_cast<std::uint64_t>(n);
  }
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  pool.forkJoin<ForkHints>([&] { first = Fib(pool, n - 1); }, [&] { second = Fib(pool, n - 2); });
  return first + second;
}

std::uint64_t Queens(citor::ThreadPool& pool, const Board& board) {
  if (board.rows == board.n) {
    return 1;
  }
  std::array<std::uint8_t, kMostQueens> columns;
  const std::size_t count = board.FreeColumns(columns);
  std::array<std::uint64_t, kMostQueens> sums{};
  pool.parallelFor<ForkHints>(0, count, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      sums[i] = Queens(pool, board.With(columns[i]));
    }
  });
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) {
    sum += part;
  }
  return sum;
}

}  // namespace

int main(int count, char** arguments) {
  citor::ThreadPool pool(WorkersOf(count, arguments));
  return Measure(
      arguments, [&](int n) { return Fib(pool, n); },
      [&](const Board& board) { return Queens(pool, board); });
}
