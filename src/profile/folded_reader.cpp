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

// digits / 10^decimals.
struct Weight {
  std::uint64_t digits = 0;
  int decimals = 0;
  bool is_cut = false;  // there were more digits than 64 bits can hold

  // In parts of 10^-places, rounded.
  std::uint64_t Parts(int places) const {
    if (decimals <= places) {
      return digits * PowerOfTen(places - decimals);
    }
    const std::uint64_t unit = PowerOfTen(decimals - places);
    return digits / unit + (digits % unit >= unit - unit / 2 ? 1 : 0);
  }

  double Value() const {
    return static_cast<double>(digits) / static_cast<double>(PowerOfTen(decimals));
  }
};

// "31", "31.23", "6.", "1.5e+03".
std::optional<Weight> ParseWeight(std::string_view text) {
  constexpr int kMostDecimals = 18;  // 10^18 fits into 64 bits
  const std::size_t e = std::min(text.find_first_of("eE"), text.size());
  int exponent = 0;
  if (e < text.size()) {
    const std::string_view rest = text.substr(e + (text.substr(e + 1).starts_with('+') ? 2 : 1));
    const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), exponent);
    if (error != std::errc() || end != rest.data() + rest.size() || std::abs(exponent) > 36) {
      return std::nullopt;
    }
  }
  const std::size_t dot = std::min(text.find('.'), e);
  std::string digits(text.substr(0, dot));
  const std::string_view fraction = text.substr(std::min(dot + 1, e), e - std::min(dot + 1, e));
  if (digits.empty() || (digits += fraction).find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  int decimals = static_cast<int>(fraction.size()) - exponent;
  digits.erase(0, digits.find_first_not_of('0'));
  for (; decimals < 0 && !digits.empty(); ++decimals) {
    digits += '0';
  }
  Weight weight{.digits = 0, .decimals = 0, .is_cut = false};
  // Zeros at the end do not count, and digits beyond what 64 bits can hold are cut.
  while (decimals > 0 && !digits.empty() &&
         (digits.back() == '0' || digits.size() > kMostDecimals || decimals > kMostDecimals)) {
    weight.is_cut = weight.is_cut || digits.back() != '0';
    digits.pop_back();
    --decimals;
  }
  if (digits.empty()) {
    return weight;
  }
  weight.decimals = decimals;
  const char* const last = digits.data() + digits.size();
  const auto [end, error] = std::from_chars(digits.data(), last, weight.digits);
  return error == std::errc() && end == last ? std::optional(weight) : std::nullopt;
}

struct Line {
  std::string_view stack{};
  Weight before{};
  Weight weight{};
};

std::string_view Trimmed(std::string_view text) {
  return text.substr(0, text.find_last_not_of(kBlank) + 1);
}

// Splits the last word from a text; null if it is not a weight.
std::optional<Weight> TakeWeight(std::string_view& text) {
  const std::size_t blank = text.find_last_of(kBlank);
  const auto weight =
      blank == std::string_view::npos ? std::nullopt : ParseWeight(text.substr(blank + 1));
  if (weight) {
    text = Trimmed(text.substr(0, blank));
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
    line = Trimmed(line);
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
      left_out_.Count("weights cut to 18 digits", number_, line);
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
      sum += line.weight.Value() + line.before.Value();
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
