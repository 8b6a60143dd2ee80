#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <array>
#include <cstdint>
#include <string>

namespace schedbench::workloads {

namespace {

constexpr std::uint32_t kMostQueens = 16;

struct NQueensParameters {
  // clang-format off
  config::Field<"n", 9U, config::Range{1U, kMostQueens},
      "Queens, and rows and columns of the board"> n;
  ForkField<Fork::kStructured> fork;
  // clang-format on
};

// The known numbers of a board.
struct KnownQueens {
  std::uint64_t solutions;  // OEIS A000170
  // Queens that no earlier one attacks, counted by a program with sets of bits.
  std::uint64_t placements;
};

// The first entry is that of n = 1.
constexpr std::array<KnownQueens, kMostQueens> kKnownQueens{{{1, 1},
                                                             {0, 2},
                                                             {0, 5},
                                                             {2, 16},
                                                             {10, 53},
                                                             {4, 152},
                                                             {40, 551},
                                                             {92, 2056},
                                                             {352, 8393},
                                                             {724, 35538},
                                                             {2680, 166925},
                                                             {14200, 856188},
                                                             {73712, 4674889},
                                                             {365596, 27358552},
                                                             {2279184, 171129071},
                                                             {14772512, 1141190302}}};

// Queens in the first rows of a board, one in each.
struct Board {
  std::array<std::uint8_t, kMostQueens> columns;  // column of the queen in each row
  std::uint8_t rows = 0;
  std::uint8_t n;

  // Returns whether no queen attacks one in the next row and this column.
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
};

// Counts the ways to put n queens on a board of n x n so that none attacks another, row by row:
// each queen is a call with a copy of the board. The tree has no cut-off, as in most comparisons of
// fork and join. One operation is one queen, a node of the tree.
class NQueens final : public registry::IWorkload {
 public:
  explicit NQueens(const NQueensParameters& parameters)
      : parameters_(parameters) {
    if (parameters.fork == Fork::kStructured) {
      return;  // hardly any call becomes a fiber
    }
    std::uint32_t fits = parameters.n;
    while (fits > 1 && Known(fits).placements > CountThatFits(Fibers::kBytesPerFiber)) {
      --fits;
    }
    RequireMemoryFor(Known(parameters.n).placements, "suspended fibers", Fibers::kBytesPerFiber,
                     fmt::format("nqueens:n={},fork=spawn", fits));
  }

  void Prepare() override {
    solutions_ = kNoAnswer;
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, parameters_.fork, done_, [this](const auto& fork) {
      solutions_ = Count(fork, {.columns = {}, .n = static_cast<std::uint8_t>(parameters_.n)});
    });
    return Known(parameters_.n).placements;
  }

  std::string Verify() override {
    const std::uint64_t right = Known(parameters_.n).solutions;
    if (solutions_ == kNoAnswer) {
      return "the root counted no solutions";
    }
    if (solutions_ != right) {
      return fmt::format("{} queens have {} solutions, not {}", parameters_.n.value, right,
                         solutions_);
    }
    return "";
  }

 private:
  static constexpr std::uint64_t kNoAnswer = ~std::uint64_t{0};

  static const KnownQueens& Known(std::uint32_t n) {
    return kKnownQueens[n - 1];
  }

  // Counts the solutions that begin with these queens.
  template <Fork kHow>
  static std::uint64_t Count(ForkBy<kHow> fork, const Board& board) {
    if (board.rows == board.n) {
      return 1;
    }
    std::array<std::uint8_t, kMostQueens> columns;
    std::uint32_t count = 0;
    for (std::uint8_t column = 0; column < board.n; ++column) {
      if (board.Holds(column)) {
        columns[count++] = column;
      }
    }
    return fork.Sum(count, [&](std::uint32_t i) {
      Board next = board;
      next.columns[next.rows++] = columns[i];
      return Count(fork, next);
    });
  }

  const NQueensParameters parameters_;
  std::uint64_t solutions_ = kNoAnswer;  // written by the first fiber, read after the round
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<NQueens, NQueensParameters> kNQueens{{
    .name = "nqueens",
    .doc = "all ways to place n queens, by a tree of calls without a cut-off",
    .operation = "placement",
    .presets = {{"smoke", "n=7"}, {"small", "n=11"}, {"full", "n=14"}},
    .spawns_vary_with = {"fork", "structured"},  // a call that no worker takes is not a fiber
}};

}  // namespace

}  // namespace schedbench::workloads
