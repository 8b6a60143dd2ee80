#include "profile/sampling/stack_profile.hpp"

#include <algorithm>
#include <functional>

namespace schedbench::profile {

namespace {

// Works like boost::hash_combine: the constant is 2^64 divided by the golden ratio.
void Mix(std::size_t& hash, std::size_t value) {
  hash ^= value + 0x9E3779B97F4A7C15u + (hash << 6) + (hash >> 2);
}

std::size_t HashOf(const Frame& frame) {
  std::size_t hash = std::hash<std::string_view>{}(frame.name);
  Mix(hash, std::hash<std::string_view>{}(frame.module));
  Mix(hash, frame.address);
  return hash;
}

std::size_t HashOf(std::span<const FrameId> stack) {
  std::size_t hash = stack.size();
  for (const FrameId frame : stack) {
    Mix(hash, frame);
  }
  return hash;
}

}  // namespace

StackProfile::StackProfile()
    : begins_{0} {
}

FrameId StackProfile::Add(const Frame& frame) {
  const std::size_t hash = HashOf(frame);
  const auto [first, last] = frames_by_hash_.equal_range(hash);
  const auto known =
      std::find_if(first, last, [&](const auto& entry) { return frames_[entry.second] == frame; });
  if (known != last) {
    return known->second;
  }
  const auto id = static_cast<FrameId>(frames_.size());
  frames_.push_back(frame);
  frames_by_hash_.emplace(hash, id);
  return id;
}

StackId StackProfile::AddStack(std::span<const FrameId> root_first) {
  const std::size_t hash = HashOf(root_first);
  const auto [first, last] = stacks_by_hash_.equal_range(hash);
  const auto known = std::find_if(first, last, [&](const auto& entry) {
    return std::ranges::equal(StackAt(entry.second), root_first);
  });
  if (known != last) {
    return known->second;
  }
  const auto id = static_cast<StackId>(StackCount());
  calls_.insert(calls_.end(), root_first.begin(), root_first.end());
  begins_.push_back(calls_.size());
  stacks_by_hash_.emplace(hash, id);
  return id;
}

}  // namespace schedbench::profile
