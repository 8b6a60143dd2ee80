#include "profile/symbolized_profile.hpp"

#include "profile/sampling/code_name.hpp"
#include "profile/symbolizer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace schedbench::profile {

namespace {

// Only a worker's loop or a fiber's function runs under these, some of which are inlined.
constexpr std::array<std::string_view, 5> kBases = {
    "schedbench_stack_base", "SchedbenchEnterStack", "schedbench::fibers::FiberStack::Loop",
    "schedbench::fibers::Fiber::Run", "schedbench::fibers::Fiber::RunBody"};

bool IsBase(const Frame& frame) {
  return std::ranges::find(kBases, ShortName(frame.name)) != kBases.end();
}

bool IsInlinedWrapper(const Frame& frame) {
  return frame.is_code && frame.is_inlined && IsWrapper(ShortName(frame.name));
}

}  // namespace

StackProfile Symbolized(const StackProfile& raw, Show show, InlinedLeaves leaves) {
  StackProfile named;
  named.process = raw.process;
  named.workers = raw.workers;
  Symbolizer symbolizer;
  std::vector<StackId> stacks;
  std::vector<bool> is_whole;  // whether it starts with the fiber
  std::vector<FrameId> stack;
  for (StackId id = 0; id < raw.StackCount(); ++id) {
    stack.clear();
    is_whole.push_back(false);
    bool follows_base = false;
    const auto addresses = raw.StackAt(id);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (!raw.FrameAt(addresses[i]).is_code) {
        stack.push_back(named.Add(raw.FrameAt(addresses[i])));
        continue;
      }
      const bool is_return = i + 1 < addresses.size();
      const auto& frames = symbolizer.FramesAt(raw.FrameAt(addresses[i]).address, is_return);
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        const bool is_base = IsBase(*frame);
        if (is_base || follows_base) {
          is_whole.back() = is_base || ShortName(frame->name).ends_with("::Body");
        }
        follows_base = is_base;
        if (show == Show::kOwn && is_base) {
          stack.clear();
        } else {
          stack.push_back(named.Add(*frame));
        }
      }
    }
    while (leaves == InlinedLeaves::kFolded && !stack.empty() &&
           IsInlinedWrapper(named.FrameAt(stack.back()))) {
      stack.pop_back();
    }
    stacks.push_back(named.AddStack(stack));
  }
  named.samples = raw.samples;
  for (Sample& sample : named.samples) {
    const Frame& owner = raw.FrameAt(sample.owner);
    named.without_root += owner.module == kFiberModule && !is_whole[sample.stack] ? 1 : 0;
    sample.owner = named.Add(owner);
    sample.stack = stacks[sample.stack];
  }
  return named;
}

}  // namespace schedbench::profile
