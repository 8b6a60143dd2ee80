#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// What the programs of this folder share: the two workloads as `fib:fork=structured` and `nqueens`
// of schedbench have them, their answers, and the clock.

constexpr int kMostQueens = 16;

constexpr std::uint64_t Fibonacci(int n) {
  return n < 2 ? static_cast<std::uint64_t>(n) : Fibonacci(n - 1) + Fibonacci(n - 2);
}

// Queens in the first rows of a board of n x n, one in each.
struct Board {
  std::array<std::uint8_t, kMostQueens> columns{};
  std::uint8_t rows = 0;
  std::uint8_t n = 0;

  bool Holds(int column) const noexcept {
    for (int row = 0; row < rows; ++row) {
      const int apart = rows - row;
      const int other = columns[static_cast<std::size_t>(row)];
      if (other == column || other == column - apart || other == column + apart) {
        return false;
      }
    }
    return true;
  }

  Board With(std::uint8_t column) const noexcept {
    Board next = *this;
    next.columns[next.rows++] = column;
    return next;
  }

  // Writes the columns that no queen attacks, and returns how many there are.
  std::size_t FreeColumns(std::array<std::uint8_t, kMostQueens>& free) const noexcept {
    std::size_t count = 0;
    for (std::uint8_t column = 0; column < n; ++column) {
      if (Holds(column)) {
        free[count++] = column;
      }
    }
    return count;
  }
};

// Runs one workload and prints the milliseconds of each round. `fib(n)` and `queens(board)` compute
// the answer on a pool of the library with the number of workers that `arguments[1]` names.
template <typename Fib, typename Queens>
int Measure(char** arguments, Fib fib, Queens queens) {
  const bool is_fib = std::strcmp(arguments[2], "fib") == 0;
  const int n = std::atoi(arguments[3]);
  constexpr std::array<std::uint64_t, kMostQueens> kSolutions{
      1, 0, 0, 2, 10, 4, 40, 92, 352, 724, 2680, 14200, 73712, 365596, 2279184, 14772512};
  const std::uint64_t right = is_fib ? Fibonacci(n) : kSolutions[static_cast<std::size_t>(n - 1)];
  for (int round = std::atoi(arguments[4]); round > 0; --round) {
    const auto start = std::chrono::steady_clock::now();
    const std::uint64_t answer = is_fib ? fib(n) : queens(Board{.n = static_cast<std::uint8_t>(n)});
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    if (answer != right) {
      std::fprintf(stderr, "error: %s(%d) is %lu, not %lu\n", arguments[2], n, answer, right);
      return 1;
    }
    std::printf("%.6f\n", time.count());
  }
  return 0;
}

// Checks the command line that compare.py passes: WORKERS fib|nqueens N ROUNDS.
inline unsigned WorkersOf(int count, char** arguments) {
  if (count != 5) {
    std::fprintf(stderr, "usage: %s WORKERS fib|nqueens N ROUNDS\n", arguments[0]);
    std::exit(2);
  }
  return static_cast<unsigned>(std::atoi(arguments[1]));
}
