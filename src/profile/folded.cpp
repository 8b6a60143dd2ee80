#include "profile/folded.hpp"

#include "profile/sampling/frame_text.hpp"

#include <fmt/core.h>

namespace schedbench::profile {

namespace {

void Append(std::string& stack, std::string_view frame) {
  if (!stack.empty()) {
    stack += ';';
  }
  stack += frame;
}

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

std::string WeightText(std::uint64_t weight, std::uint64_t scale) {
  std::string text = std::to_string(weight / scale);
  if (weight % scale != 0) {
    text += "." + std::to_string(scale + weight % scale).substr(1);
    text.erase(text.find_last_not_of('0') + 1);
  }
  return text;
}

}  // namespace schedbench::profile
