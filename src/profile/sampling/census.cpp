#include "profile/sampling/census.hpp"

#include "base/random.hpp"
#include "fibers/net/descriptor.hpp"
#include "platform/memory/safe_read.hpp"
#include "platform/threads/this_thread.hpp"
#include "profile/sampling/frame_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>

namespace schedbench::profile {

namespace {

using fibers::FiberFacts;
using fibers::StackSpot;
using fibers::WaitKind;

constexpr std::uint64_t kMaxInspected = 60;       // stacks per census: some 15 us each
constexpr std::uint64_t kMaxStacksCounted = 600;  // stacks per count: a microsecond each
constexpr std::size_t kStackBytes = 4096;         // part of the stack whose calls are followed
constexpr std::size_t kDeepest = 64;              // calls

// Follows the frame pointers of a waiting fiber: the return addresses of its calls, innermost
// first. Works on a copy, because the fiber may continue.
std::size_t WalkWaiting(std::uintptr_t frame, std::uintptr_t top,
                        std::span<std::uint64_t, kDeepest> calls) {
  alignas(std::uint64_t) std::array<std::uint64_t, kStackBytes / sizeof(std::uint64_t)> copy;
  if (frame == 0 || frame % sizeof(std::uint64_t) != 0 || frame >= top) {
    return 0;
  }
  const std::size_t bytes = std::min(kStackBytes, top - frame);
  if (!platform::SafeRead(frame, copy.data(), bytes)) {
    return 0;
  }
  const std::uintptr_t end = frame + bytes;
  std::size_t count = 0;
  std::uintptr_t at = frame;
  while (count < calls.size() && at % sizeof(std::uint64_t) == 0 &&
         at + 2 * sizeof(std::uint64_t) <= end) {
    const std::size_t word = (at - frame) / sizeof(std::uint64_t);
    const std::uint64_t outer = copy[word];
    calls[count++] = copy[word + 1];
    if (outer <= at) {
      break;
    }
    at = outer;
  }
  return count;
}

StackProfile Empty() {
  StackProfile profile;
  profile.process = platform::ProcessId();
  profile.workers = {ProfiledWorker()};  // samples have no worker; they name the only one
  return profile;
}

}  // namespace

Census::Census()
    : can_read_(platform::SafeReadIsSafe()),
      waiting_(Empty()),
      ready_(Empty()) {
}

void Census::Take(std::uint64_t now_ns) {
  if (!can_read_) {
    return;
  }
  const std::uint64_t elapsed_ns = last_ns_ == 0 ? 0 : now_ns - last_ns_;
  last_ns_ = now_ns;
  ++looks_;
  // Take one in `stride` stacks from a random start: all have equal chances.
  const std::uint64_t stride = std::max<std::uint64_t>(1, stacks_ / kMaxInspected);
  std::uint64_t to_pass = MixSeed(now_ns) % stride;
  std::uint64_t stacks = 0;
  // If there are suddenly many more, this census misses some, and the next one takes fewer of them.
  std::uint64_t left = 10 * kMaxInspected;
  fibers::StackRegistry::ForEach([&](const StackSpot& spot) {
    ++stacks;
    if (to_pass-- != 0) {
      return;
    }
    to_pass = stride - 1;
    if (elapsed_ns == 0 || left == 0) {
      return;
    }
    --left;
    FiberFacts::ForEachOn(spot, [&](const FiberFacts& fiber) {
      ++seen_;
      if (!fiber.is_steady) {
        ++moved_;
      } else if (fiber.is_suspended) {
        Add(spot, fiber, now_ns, elapsed_ns * stride);
      }
    });
  });
  stacks_ = stacks;
  if (elapsed_ns > 0 && stacks <= kMaxStacksCounted) {
    AddNotBegun(now_ns, elapsed_ns);
  }
}

// Adds the fibers that have never run: a difference of counts that change while they are read. Two
// readings bound it: started in the first less begun in the second is too small, and the difference
// within the second is too large. The mean of both is used.
void Census::AddNotBegun(std::uint64_t now_ns, std::uint64_t elapsed_ns) {
  const fibers::FiberCount first = fibers::FiberCount::Now();
  const fibers::FiberCount second = fibers::FiberCount::Now();
  const std::uint64_t begun = second.ended + second.on_stacks;
  const std::uint64_t least = first.started - std::min(first.started, begun);
  const std::uint64_t weight_ns = (least + second.NeverBegun()) * elapsed_ns / 2;
  if (weight_ns == 0) {
    return;
  }
  stack_.assign(1, ready_.Add({.name = "ready:queue", .module = "[wait]", .is_code = false}));
  ready_.samples.push_back(
      {.time_ns = now_ns,
       .weight_ns = weight_ns,
       .owner = ready_.Add(
           {.name = "fiber:not begun", .module = std::string(kFiberModule), .is_code = false}),
       .stack = ready_.AddStack(stack_)});
}

void Census::Add(const StackSpot& spot, const FiberFacts& fiber, std::uint64_t now_ns,
                 std::uint64_t weight_ns) {
  const bool is_ready = fiber.waiting.kind == WaitKind::kNothing;
  StackProfile& profile = is_ready ? ready_ : waiting_;
  stack_.clear();
  if (!is_ready) {
    std::array<std::uint64_t, kDeepest> calls;
    const std::size_t count =
        WalkWaiting(fiber.frame, reinterpret_cast<std::uintptr_t>(spot.fiber_stack), calls);
    if (!fiber.StillWaitsOn(spot)) {
      ++moved_;
      return;  // the calls may be anything
    }
    for (std::size_t i = count; i > 0; --i) {
      stack_.push_back(profile.Add({.name = "", .address = calls[i - 1]}));
    }
  }
  const std::string what =
      is_ready ? "ready:queue" : "wait:" + std::string(ToText(fiber.waiting.kind));
  stack_.push_back(profile.Add({.name = what, .module = "[wait]", .is_code = false}));
  if (fibers::IsForDescriptor(fiber.waiting.kind)) {
    stack_.push_back(profile.Add({.name = fibers::Descriptor::WaitName(fiber.waiting),
                                  .module = "[wait]",
                                  .is_code = false}));
  }
  const FrameId owner = profile.Add(FiberFrame(fiber.Name(), fiber.file, fiber.line));
  profile.samples.push_back({.time_ns = now_ns,
                             .weight_ns = weight_ns,
                             .worker = 0,
                             .cpu = 0,
                             .owner = owner,
                             .stack = profile.AddStack(stack_)});
}

}  // namespace schedbench::profile
