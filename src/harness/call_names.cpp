#include "harness/call_names.hpp"

#include "profile/code_name.hpp"
#include "profile/frame_text.hpp"
#include "profile/symbolizer.hpp"

#include <fmt/format.h>

namespace schedbench::harness {

namespace {

// Whether a frame shows nothing but how its caller calls another function.
bool IsNoise(const profile::Frame& frame) {
  if (!frame.is_code) {
    return false;
  }
  const std::string name = profile::ShortName(frame.name);
  return frame.is_inlined
             ? profile::IsWrapper(name)
             : name.starts_with("std::_Function_handler") || name.starts_with("std::__invoke") ||
                   name.starts_with("std::function<");
}

}  // namespace

std::vector<std::string> CallNames(std::uintptr_t address) {
  std::vector<std::string> names;
  profile::Symbolizer symbolizer;
  for (const profile::Frame& frame : symbolizer.FramesAt(address, false)) {
    if (IsNoise(frame)) {
      continue;
    }
    const std::string name = profile::FrameLabel(profile::FrameText(frame));
    if (name.starts_with('[')) {
      names.push_back(name);  // no function is known there: it is the name of the module
    } else if (frame.file.empty()) {
      names.push_back(fmt::format("{} ({})", name, profile::FileName(frame.module)));
    } else {
      names.push_back(fmt::format("{} ({}:{})", name, profile::FileName(frame.file), frame.line));
    }
  }
  return names;
}

}  // namespace schedbench::harness
