#include "base/random.hpp"
#include "config/schema_of.hpp"
#include "registry/workload.hpp"
#include "workloads/parts/fibers.hpp"
#include "workloads/parts/fork.hpp"
#include "workloads/parts/fork_by.hpp"
#include "workloads/parts/memory_need.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace schedbench::workloads {

namespace {

struct MatmulParameters {
  // clang-format off
  config::Field<"n", 256U, config::PowerOfTwo{1U, 8192U}, "Rows and columns of each matrix"> n;
  config::Field<"leaf", 32U, config::PowerOfTwo{1U, 8192U},
      "Rows and columns of the blocks that one call multiplies without forks"> leaf;
  ForkField<Fork::kStructured> fork;
  // clang-format on

  static void Check(const MatmulParameters& parameters, config::Problems& problems) {
    if (parameters.leaf > parameters.n) {
      problems.AddUnused(
          "leaf",
          fmt::format("it is larger than the matrices; it needs at most n={}", parameters.n.value));
    }
  }
};

// A square matrix of whole numbers, as doubles. It is stored by tiles, so that the rows of a tile
// do not share a few sets of the cache.
class TiledMatrix {
 public:
  // Makes a matrix of zeros. `tile` divides `n`.
  TiledMatrix(std::uint32_t n, std::uint32_t tile)
      : tiles_(n / tile),
        tile_(tile),
        elements_(std::size_t{n} * n) {
  }

  std::uint32_t Tiles() const noexcept {
    return tiles_;
  }

  double* Tile(std::uint32_t row, std::uint32_t column) noexcept {
    return elements_.data() + (std::size_t{row} * tiles_ + column) * tile_ * tile_;
  }
  const double* Tile(std::uint32_t row, std::uint32_t column) const noexcept {
    return const_cast<TiledMatrix*>(this)->Tile(row, column);
  }

  void Clear() {
    std::ranges::fill(elements_, 0.0);
  }

  void Fill(QuickRandom& random) {
    constexpr std::uint32_t kBits = 8;  // products of 8192 rows are exact in a double
    std::ranges::generate(elements_,
                          [&random] { return static_cast<double>(random.Next() >> (32 - kBits)); });
  }

  // Returns the product with a vector, modulo 2^64.
  std::vector<std::uint64_t> Times(const std::vector<std::uint64_t>& vector) const {
    std::vector<std::uint64_t> product(vector.size());
    const double* element = elements_.data();
    for (std::size_t tile = 0; tile < std::size_t{tiles_} * tiles_; ++tile) {
      for (std::size_t i = 0; i < tile_; ++i) {
        for (std::size_t j = 0; j < tile_; ++j, ++element) {
          product[tile / tiles_ * tile_ + i] +=
              static_cast<std::uint64_t>(*element) * vector[tile % tiles_ * tile_ + j];
        }
      }
    }
    return product;
  }

 private:
  std::uint32_t tiles_;  // number in a row and in a column
  std::uint32_t tile_;
  std::vector<double> elements_;
};

std::vector<std::uint64_t> RandomVector(std::uint32_t n, std::uint64_t seed) {
  std::vector<std::uint64_t> vector(n);
  for (std::uint32_t i = 0; i < n; ++i) {
    vector[i] = DeriveSeed(seed, i);
  }
  return vector;
}

// Multiplies two matrices by quadrants: each quadrant of the result is a sum of two products. Four
// products are forked, one for each, then the other four. One operation is one product of two
// leaves.
class Matmul final : public registry::IWorkload {
 public:
  Matmul(const MatmulParameters& parameters, std::uint64_t seed)
      : parameters_(parameters),
        leaf_(CheckedLeaf(parameters)),
        left_(parameters.n, leaf_),
        right_(parameters.n, leaf_),
        product_(parameters.n, leaf_),
        vector_(RandomVector(parameters.n, seed)) {
    QuickRandom random(seed);
    left_.Fill(random);
    right_.Fill(random);
    right_answer_ = left_.Times(right_.Times(vector_));
  }

  void Prepare() override {
    product_.Clear();
  }

  std::uint64_t Run(registry::IScheduler& scheduler) override {
    RunForks(scheduler, parameters_.fork, done_,
             [this](const auto& fork) { AddProduct(fork, {.size = product_.Tiles()}); });
    const std::uint64_t tiles = product_.Tiles();
    return tiles * tiles * tiles;
  }

  // Checks as R. Freivalds (1977): if the product is right, so is its product with any vector. A
  // wrong one passes with a probability of less than 2^-11, and of about 2^-64 unless its errors
  // are multiples of large powers of two.
  std::string Verify() override {
    const std::vector<std::uint64_t> answer = product_.Times(vector_);
    const auto wrong = std::ranges::mismatch(answer, right_answer_);
    if (wrong.in1 == answer.end()) {
      return "";
    }
    return fmt::format("row {} of the product is wrong", wrong.in1 - answer.begin());
  }

 private:
  // The multiplied tiles: of the left matrix from (row, inner), the right one from (inner, column).
  struct Part {
    std::uint32_t row = 0;
    std::uint32_t column = 0;
    std::uint32_t inner = 0;
    std::uint32_t size;  // tiles in a row
  };

  static std::uint32_t CheckedLeaf(const MatmulParameters& parameters) {
    const std::uint32_t leaf = std::min(parameters.leaf.value, parameters.n.value);
    std::uint64_t bytes_each = 3 * sizeof(double);
    if (parameters.fork == Fork::kSpawn) {
      // One fiber for each tile.
      bytes_each += Fibers::kBytesPerFiber / (std::uint64_t{leaf} * leaf);
    }
    const auto elements = [](std::uint32_t n) { return std::uint64_t{n} * n; };
    std::uint32_t fits = parameters.n;
    while (fits > 1 && elements(fits) > CountThatFits(bytes_each)) {
      fits /= 2;
    }
    RequireMemoryFor(elements(parameters.n), "elements", bytes_each,
                     fmt::format("matmul:n={},leaf={},fork={}", fits, std::min(fits, leaf),
                                 parameters.fork == Fork::kSpawn ? "spawn" : "structured"));
    return leaf;
  }

  template <Fork kHow>
  void AddProduct(ForkBy<kHow> fork, const Part& part) {
    if (part.size == 1) {
      AddProductOfTiles(product_.Tile(part.row, part.column), left_.Tile(part.row, part.inner),
                        right_.Tile(part.inner, part.column));
      return;
    }
    const std::uint32_t half = part.size / 2;
    for (const std::uint32_t inner : {part.inner, part.inner + half}) {
      const auto rows = [&](std::uint32_t row) {
        fork.Both([&] { AddProduct(fork, {row, part.column, inner, half}); },
                  [&] { AddProduct(fork, {row, part.column + half, inner, half}); });
      };
      fork.Both([&] { rows(part.row); }, [&] { rows(part.row + half); });
    }
  }

  void AddProductOfTiles(double* __restrict product, const double* __restrict left,
                         const double* __restrict right) const noexcept {
    const std::size_t n = leaf_;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < n; ++k) {
        const double factor = left[i * n + k];
        for (std::size_t j = 0; j < n; ++j) {
          product[i * n + j] += factor * right[k * n + j];
        }
      }
    }
  }

  const MatmulParameters parameters_;
  const std::uint32_t leaf_;
  TiledMatrix left_;
  TiledMatrix right_;
  TiledMatrix product_;  // one call at a time writes a tile
  const std::vector<std::uint64_t> vector_;
  std::vector<std::uint64_t> right_answer_;  // the right product with `vector_`
  Fibers::WaitGroup done_;
};

const registry::RegistrationOf<Matmul, MatmulParameters> kMatmul{{
    .name = "matmul",
    .doc = "two matrices are multiplied by quadrants down to small blocks",
    .operation = "block",
    .presets = {{"smoke", "n=128"}, {"small", ""}, {"full", "n=2048"}},
}};

}  // namespace

}  // namespace schedbench::workloads
