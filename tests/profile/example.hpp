#pragma once

#include "profile/sampling/stack_profile.hpp"

#include <array>
#include <string>

namespace schedbench::profile {

// Two workers; one fiber ran on both, the second worker searched too.
inline StackProfile ExampleProfile(const std::string& fiber = "fiber:ping") {
  StackProfile profile;
  profile.process = 100;
  profile.workers = {{.index = 0, .thread = 101}, {.index = 3, .thread = 104}};
  const FrameId ping = profile.Add({.name = fiber, .module = "[fiber]", .is_code = false});
  const FrameId search =
      profile.Add({.name = "worker:search", .module = "[worker]", .is_code = false});
  const FrameId body = profile.Add({.name = "(anonymous namespace)::Body(int)",
                                    .module = "/bin/x",
                                    .address = 0x4000,
                                    .offset = 0x20});
  const FrameId leaf = profile.Add({.name = "C::operator->() const",
                                    .module = "/bin/x",
                                    .file = "c.cpp",
                                    .address = 0x4100,
                                    .is_inlined = true});
  const std::array deep{body, leaf};
  const StackId both = profile.AddStack(deep);
  const StackId only = profile.AddStack(std::array{body});
  const StackId none = profile.AddStack({});
  profile.samples = {{.time_ns = 5'001'002'000,
                      .weight_ns = 1'001'001,
                      .worker = 0,
                      .cpu = 1,
                      .owner = ping,
                      .stack = both},
                     {.time_ns = 5'000'001'000,
                      .weight_ns = 1'001'001,
                      .worker = 0,
                      .cpu = 1,
                      .owner = ping,
                      .stack = only},
                     {.time_ns = 5'000'500'999,
                      .weight_ns = 2'000'000,
                      .worker = 1,
                      .cpu = 0,
                      .owner = search,
                      .stack = none},
                     {.time_ns = 5'003'000'000,
                      .weight_ns = 1'000'400,
                      .worker = 1,
                      .cpu = 0,
                      .owner = ping,
                      .stack = both}};
  return profile;
}

}  // namespace schedbench::profile
