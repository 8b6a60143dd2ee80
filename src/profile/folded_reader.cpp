#include "profile/folded_reader.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

namespace schedbench::profile {

namespace {

constexpr std::string_view kBlank = " \t\r";

std::uint64_t PowerOfTen(int exponent) {
  std::uint64_t power = 1;
  for (; exponent > 0; --exponent) {
    power *= 10;
  }
  return power;
}

// A whole part, and a fraction in parts of 10^-decimals.
struct Weight {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;
  int decimals = 0;
  bool is_cut = false;  // there were more decimals than 64 bits can hold

  // In parts of 10^-places, rounded.
  std::uint64_t Parts(int places) const {
    const std::uint64_t unit = PowerOfTen(std::max(decimals - places, 0));
    return whole * PowerOfTen(places) +
           (fraction + unit / 2) / unit * PowerOfTen(std::max(places - decimals, 0));
  }
};

// "31", "31.23", "6.", "1.5e+03".
std::optional<Weight> ParseWeight(std::string_view text) {
  constexpr std::size_t kMostDecimals = 18;  // 10^18 fits into 64 bits
  constexpr double kLargest = 1e18;
  std::string plain;
  if (text.find_first_of("eE") != std::string_view::npos) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size() || !(std::abs(value) < kLargest)) {
      return std::nullopt;
    }
    text = plain = fmt::format("{:.9f}", value);
  }
  const std::size_t dot = std::min(text.find('.'), text.size());
  std::string_view decimals = text.substr(std::min(dot + 1, text.size()));
  decimals = decimals.substr(0, decimals.find_last_not_of('0') + 1);
  const auto whole = WholeNumber(text.substr(0, dot));
  const bool is_number = decimals.find_first_not_of("0123456789") == std::string_view::npos;
  if (!whole || !is_number) {
    return std::nullopt;
  }
  const bool is_cut = decimals.size() > kMostDecimals;
  decimals = decimals.substr(0, kMostDecimals);
  return Weight{.whole = *whole,
                .fraction = WholeNumber(decimals).value_or(0),
                .decimals = static_cast<int>(decimals.size()),
                .is_cut = is_cut};
}

struct Line {
  std::string_view stack{};
  Weight before{};
  Weight weight{};
};

// Splits the last word from a text; null if it is not a weight.
std::optional<Weight> TakeWeight(std::string_view& text) {
  const std::size_t blank = text.find_last_of(kBlank);
  const auto weight =
      blank == std::string_view::npos ? std::nullopt : ParseWeight(text.substr(blank + 1));
  if (weight) {
    text = WithoutBlanks(text.substr(0, blank));
  }
  return weight;
}

std::string ReasonOf(std::string_view line) {
  const std::size_t blank = line.find_last_of(kBlank);
  if (blank == std::string_view::npos) {
    return "expected STACK WEIGHT, with a blank between them";
  }
  const std::string_view weight = line.substr(blank + 1);
  return ParseWeight(weight)
             ? "there is no stack before the weight"
             : fmt::format("the weight {} is not a number of at least 0", config::Quoted(weight));
}

class FoldedReader {
 public:
  explicit FoldedReader(std::string_view file)
      : file_(file) {
  }

  void Read(std::string_view line) {
    ++number_;
    line = WithoutBlanks(line);
    if (line.empty() || line.starts_with('#')) {
      return;
    }
    std::string_view stack = line;
    const auto weight = TakeWeight(stack);
    if (!weight || stack.find_first_not_of(" \t;") == std::string_view::npos) {
      if (!line.starts_with("//")) {
        first_problem_ = first_problem_.empty() ? fmt::format("{}:{}: {}: {}", file_, number_,
                                                              config::Quoted(line), ReasonOf(line))
                                                : first_problem_;
        left_out_.Count("bad lines", number_, line);
      }
      return;
    }
    if (weight->is_cut) {
      left_out_.Count("weights cut to 18 decimals", number_, line);
    }
    std::string_view outer = stack;
    const auto before = TakeWeight(outer);
    is_difference_ = is_difference_ && before && !outer.empty();
    has_frames_ = has_frames_ || outer.find(';') != std::string_view::npos;
    lines_.push_back({stack, before.value_or(Weight()), *weight});
  }

  StackText Finish() {
    if (lines_.empty()) {
      throw config::InputError(first_problem_.empty()
                                   ? fmt::format("{}: the file has no stacks", file_)
                                   : first_problem_);
    }
    // The name of a single frame may end with a number: "worker 3".
    is_difference_ = is_difference_ && has_frames_;
    const int places = Places();
    StackText result{.scale = PowerOfTen(places)};
    EventStacks event;
    FoldedStacks before;
    for (Line& line : lines_) {
      if (is_difference_) {
        TakeWeight(line.stack);
        AddWeight(before, Shown(line.stack), line.before.Parts(places), file_);
      }
      AddWeight(event.stacks, Shown(line.stack), line.weight.Parts(places), file_);
    }
    if (is_difference_) {
      event.before = std::move(before);
    }
    result.events.push_back(std::move(event));
    result.left_out = left_out_.Texts();
    return result;
  }

 private:
  static std::string Shown(std::string_view stack) {
    return config::IsPrintable(stack) ? std::string(stack) : config::Escaped(stack, stack.size());
  }

  // How many decimals all weights get, so that their sum fits.
  int Places() {
    constexpr double kLargestSum = 9e18;
    int places = 0;
    double sum = 0;
    for (const Line& line : lines_) {
      places = std::max({places, line.weight.decimals, is_difference_ ? line.before.decimals : 0});
      sum += 2 + static_cast<double>(line.weight.whole) + static_cast<double>(line.before.whole);
    }
    const int most = places;
    while (places > 0 && sum * std::pow(10, places) > kLargestSum) {
      --places;
    }
    if (places < most) {
      left_out_.Count(fmt::format("digits of weights beyond {} decimals", places), 1);
    }
    return places;
  }

  std::string_view file_;
  std::size_t number_ = 0;
  LeftOut left_out_;
  std::string first_problem_;
  std::vector<Line> lines_;
  bool is_difference_ = true;
  bool has_frames_ = false;
};

}  // namespace

StackText ParseFolded(std::string_view text, std::string_view file) {
  FoldedReader reader(file);
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    reader.Read(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return reader.Finish();
}

}  // namespace schedbench::profile
