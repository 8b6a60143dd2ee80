// fib and nqueens with libfork: a fork for each call but the last, which is a plain call.
#include "measure.hpp"

#include <libfork.hpp>

namespace {

constexpr auto kFib = [](auto fib, int n) -> lf::task<std::uint64_t> {
  if (n < 2) {
    co_return static_cast<std::uint64_t>(n);
  }
  std::uint64_t first = 0;
  std::uint64_t second = 0;
  co_await lf::fork(&first, fib)(n - 1);
  co_await lf::call(&second, fib)(n - 2);
  co_await lf::join;
  co_return first + second;
};

constexpr auto kQueens = [](auto queens, Board board) -> lf::task<std::uint64_t> {
  if (board.rows == board.n) {
    co_return 1;
  }
  std::array<std::uint8_t, kMostQueens> columns;
  const std::size_t count = board.FreeColumns(columns);
  std::array<std::uint64_t, kMostQueens> sums{};
  for (std::size_t i = 0; i + 1 < count; ++i) {
    co_await lf::fork(&sums[i], queens)(board.With(columns[i]));
  }
  if (count > 0) {
    co_await lf::call(&sums[count - 1], queens)(board.With(columns[count - 1]));
  }
  co_await lf::join;
  std::uint64_t sum = 0;
  for (const std::uint64_t part : sums) {
    sum += part;
  }
  co_return sum;
};

}  // namespace

int main(int count, char** arguments) {
  lf::lazy_pool pool(WorkersOf(count, arguments));
  return Measure(
      arguments, [&](int n) { return lf::sync_wait(pool, kFib, n); },
      [&](Board board) { return lf::sync_wait(pool, kQueens, board); });
}
