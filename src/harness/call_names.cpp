#include "harness/call_names.hpp"

#include "profile/code_name.hpp"
#include "profile/frame_text.hpp"
#include "profile/symbolizer.hpp"

#include <fmt/format.h>

namespace schedbench::harness {

std::vector<std::string> CallNames(std::uintptr_t address) {
  std::vector<std::string> names;
  profile::Symbolizer symbolizer;
  for (const profile::Frame& frame : symbolizer.FramesAt(address, false)) {
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
