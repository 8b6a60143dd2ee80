#include "profile/folded.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "profile/frame_text.hpp"

#include <fmt/core.h>

#include <charconv>
#include <limits>
#include <system_error>
#include <vector>

namespace schedbench::profile {

namespace {

void Append(std::string& stack, std::string_view frame) {
  if (!stack.empty()) {
    stack += ';';
  }
  stack += frame;
}

class FoldedReader {
 public:
  FoldedReader(std::string_view file, FoldedStacks& stacks)
      : file_(file),
        stacks_(stacks) {
  }

  void Line(std::string_view line) {
    ++number_;
    if (line.ends_with('\r')) {
      line.remove_suffix(1);
    }
    if (line.find_first_not_of(" \t") == std::string_view::npos) {
      return;
    }
    const std::size_t blank = line.rfind(' ');
    if (blank == std::string_view::npos) {
      Fail(line, "expected STACK WEIGHT, with a blank between them");
    }
    const std::string_view stack = line.substr(0, blank);
    const std::string_view weight = line.substr(blank + 1);
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(weight.data(), weight.data() + weight.size(), value);
    if (error != std::errc() || end != weight.data() + weight.size()) {
      Fail(line, fmt::format("the weight {} is not a whole number", config::Quoted(weight)));
    }
    if (stack.find_first_not_of(" ;") == std::string_view::npos) {
      Fail(line, "there is no stack before the weight");
    }
    std::uint64_t& sum = stacks_[std::string(stack)];
    if (value > std::numeric_limits<std::uint64_t>::max() - sum) {
      Fail(line, "the sum of the weights of this stack does not fit into 64 bits");
    }
    sum += value;
  }

 private:
  [[noreturn]] void Fail(std::string_view line, std::string_view reason) const {
    throw config::InputError(
        fmt::format("{}:{}: {}: {}", file_, number_, config::Quoted(line), reason));
  }

  std::string_view file_;
  FoldedStacks& stacks_;
  std::size_t number_ = 0;
};

}  // namespace

std::string WorkerText(const ProfiledWorker& worker) {
  return fmt::format("worker {}", worker.index);
}

std::vector<std::string> OwnerTexts(const StackProfile& profile, const Sample& sample,
                                    const Roots& roots) {
  const Frame& owner = profile.FrameAt(sample.owner);
  std::vector<std::string> texts;
  const bool is_fiber = owner.module == kFiberModule;
  const bool shows_owner = !is_fiber || roots.fiber || profile.StackAt(sample.stack).empty();
  if (shows_owner) {
    texts.push_back(FrameText(owner));
  }
  const bool is_reported = shows_owner && owner.name == "fiber:" + owner.file;
  if (is_fiber && roots.created && !owner.file.empty() && !is_reported) {
    texts.push_back(SafeName("created:" + owner.file));
  }
  return texts;
}

FoldedStacks Fold(const StackProfile& profile, const Roots& roots) {
  std::vector<std::string> names;
  names.reserve(profile.FrameCount());
  for (FrameId frame = 0; frame < profile.FrameCount(); ++frame) {
    names.push_back(FrameText(profile.FrameAt(frame)));
  }
  FoldedStacks stacks;
  for (const Sample& sample : profile.samples) {
    std::string stack;
    if (roots.worker) {
      Append(stack, WorkerText(profile.workers[sample.worker]));
    }
    for (const std::string& text : OwnerTexts(profile, sample, roots)) {
      Append(stack, text);
    }
    for (const FrameId frame : profile.StackAt(sample.stack)) {
      Append(stack, names[frame]);
    }
    stacks[stack] += sample.weight_ns;
  }
  return stacks;
}

std::string FoldedText(const FoldedStacks& stacks, std::uint64_t unit) {
  std::string text;
  for (const auto& [stack, weight] : stacks) {
    if (const std::uint64_t rounded = weight / unit + (weight % unit * 2 >= unit ? 1 : 0);
        rounded > 0) {
      text += fmt::format("{} {}\n", stack, rounded);
    }
  }
  return text;
}

FoldedStacks ParseFolded(std::string_view text, std::string_view file) {
  FoldedStacks stacks;
  FoldedReader reader(file, stacks);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    reader.Line(text.substr(0, end));
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return stacks;
}

}  // namespace schedbench::profile
