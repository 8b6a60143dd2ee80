#include "profile/folded_reader.hpp"

#include "base/text.hpp"
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
constexpr int kMostDecimals = 18;  // 10^18 fits into 64 bits

std::uint64_t PowerOfTen(int exponent) {
  std::uint64_t power = 1;
  for (; exponent > 0; --exponent) {
    power *= 10;
  }
  return power;
}

struct Weight {
  std::uint64_t whole = 0;
  std::uint64_t fraction = 0;  // in parts of 10^-kMostDecimals
  int decimals = 0;  // number of decimals that are not 0; above kMostDecimals they are cut

  // Returns the weight in parts of 10^-places, rounded.
  std::uint64_t Parts(int places) const {
    const std::uint64_t unit = PowerOfTen(kMostDecimals - places);
    return whole * PowerOfTen(places) + (fraction + unit / 2) / unit;
  }
};

// Parses "31", "31.23", "6.", ".5", "1.5e+03".
std::optional<Weight> ParseWeight(std::string_view text) {
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
  std::string decimals(text.substr(std::min(dot + 1, text.size())));
  const auto whole = dot == 0 && !decimals.empty() ? 0 : WholeNumber(text.substr(0, dot));
  if (!whole || decimals.find_first_not_of("0123456789") != std::string::npos) {
    return std::nullopt;
  }
  const auto count = static_cast<int>(decimals.find_last_not_of('0') + 1);
  decimals.resize(kMostDecimals, '0');
  return Weight{.whole = *whole, .fraction = *WholeNumber(decimals), .decimals = count};
}

struct Line {
  std::size_t number;
  std::string_view text;
  std::string_view stack;
  Weight weight;
  std::string_view outer{};  // the stack without a weight of before, if it has one
  std::optional<Weight> before{};
};

// Splits the last word from a text; returns none if it is not a weight.
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
    if (weight && stack.find_first_not_of(" \t;") != std::string_view::npos) {
      Line& read = lines_.emplace_back(Line{number_, line, stack, *weight, stack});
      read.before = TakeWeight(read.outer);
      with_before_ += read.before && !read.outer.empty() ? 1 : 0;
      has_frames_ = has_frames_ || read.outer.find(';') != std::string_view::npos;
    } else if (!line.starts_with("//")) {
      first_problem_ = first_problem_.empty() ? fmt::format("{}:{}: {}: {}", file_, number_,
                                                            config::Quoted(line), ReasonOf(line))
                                              : first_problem_;
      left_out_.Count("bad lines", number_, line);
    }
  }

  StackText Finish() {
    if (lines_.empty()) {
      throw config::InputError(first_problem_.empty()
                                   ? fmt::format("{}: the file has no stacks", file_)
                                   : first_problem_);
    }
    // A name may end with a number, "worker 3", but most names in stacks of several frames do not.
    const bool is_difference = has_frames_ && with_before_ * 2 > lines_.size();
    if (is_difference) {
      std::erase_if(lines_, [this](const Line& line) {
        if (!line.before) {
          left_out_.Count("bad lines", line.number, line.text);
        }
        return !line.before;
      });
    } else {
      for (Line& line : lines_) {
        line.outer = line.stack;
        line.before.reset();
      }
    }
    const int places = Places();
    StackText result{.scale = PowerOfTen(places)};
    EventStacks event;
    FoldedStacks before;
    for (const Line& line : lines_) {
      AddWeight(event.stacks, Shown(line.outer), line.weight.Parts(places), file_);
      if (line.before) {
        AddWeight(before, Shown(line.outer), line.before->Parts(places), file_);
      }
    }
    if (is_difference) {
      event.before = std::move(before);
      result.notes.emplace_back("read as a difference: two counts a line");
    }
    result.events.push_back(std::move(event));
    result.left_out = left_out_.Texts();
    return result;
  }

 private:
  static std::string Shown(std::string_view stack) {
    return config::IsPrintable(stack) ? std::string(stack) : config::Escaped(stack, stack.size());
  }

  // Returns how many decimals all weights get, so that their sum fits.
  int Places() {
    constexpr double kLargestSum = 9e18;
    int most = 0;
    double sum = 0;
    for (const Line& line : lines_) {
      for (const Weight& weight : {line.weight, line.before.value_or(Weight())}) {
        if (weight.decimals > kMostDecimals) {
          left_out_.Count("weights cut to 18 decimals", line.number, line.text);
        }
        most = std::max(most, std::min(weight.decimals, kMostDecimals));
        sum += 1 + static_cast<double>(weight.whole);
      }
    }
    int places = most;
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
  std::size_t with_before_ = 0;  // number of lines with two weights
  bool has_frames_ = false;
};

}  // namespace

StackText ParseFolded(std::string_view text, std::string_view file) {
  FoldedReader reader(file);
  while (!text.empty()) {
    reader.Read(TakeLine(text));
  }
  return reader.Finish();
}

}  // namespace schedbench::profile
