#include "profile/symbolized_profile.hpp"

#include "profile/code_name.hpp"
#include "profile/symbolizer.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace schedbench::profile {

namespace {

// Under these a worker's loop or a fiber's function runs, and nothing else.
constexpr std::array<std::string_view, 4> kBases = {"schedbench_stack_base", "SchedbenchEnterStack",
                                                    "schedbench::fibers::FiberStack::Loop",
                                                    "schedbench::fibers::Fiber::RunBody"};

bool IsBase(const Frame& frame) {
  return std::ranges::find(kBases, ShortName(frame.name)) != kBases.end();
}

// Whose functions only wrap an instruction or another function when they are inlined.
constexpr std::array<std::string_view, 3> kWrappers = {
    "std::", "__gnu_cxx::", "schedbench::Atomic"};

bool IsInlinedWrapper(const Frame& frame) {
  if (!frame.is_code || !frame.is_inlined) {
    return false;
  }
  const std::string name = ShortName(frame.name);
  return std::ranges::any_of(kWrappers, [&](std::string_view wrapper) {
    return name.starts_with(wrapper);
  });
}

}  // namespace

StackProfile Symbolized(const StackProfile& raw, Show show, InlinedLeaves leaves) {
  StackProfile named;
  named.process = raw.process;
  named.workers = raw.workers;
  Symbolizer symbolizer;
  std::vector<StackId> stacks;
  std::vector<FrameId> stack;
  for (StackId id = 0; id < raw.StackCount(); ++id) {
    stack.clear();
    const auto addresses = raw.StackAt(id);
    for (std::size_t i = 0; i < addresses.size(); ++i) {
      if (!raw.FrameAt(addresses[i]).is_code) {
        stack.push_back(named.Add(raw.FrameAt(addresses[i])));
        continue;
      }
      const bool is_return = i + 1 < addresses.size();
      const auto& frames = symbolizer.FramesAt(raw.FrameAt(addresses[i]).address, is_return);
      for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
        if (show == Show::kOwn && IsBase(*frame)) {
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
    sample.owner = named.Add(raw.FrameAt(sample.owner));
    sample.stack = stacks[sample.stack];
  }
  return named;
}

}  // namespace schedbench::profile
