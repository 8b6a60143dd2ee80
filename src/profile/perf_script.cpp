#include "profile/perf_script.hpp"

#include "config/quote.hpp"
#include "profile/sampling/frame_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <vector>

namespace schedbench::profile {

namespace {

constexpr std::size_t kPart = 65536;  // bytes that the sink gets at a time (arbitrary)

// The Firefox Profiler recognises the format by this first line, or by no header at all.
constexpr std::string_view kEdge = "# ========\n";

std::string HeaderText(std::span<const std::string> about) {
  std::string head(kEdge);
  for (const std::string& line : about) {
    head += "# " + config::Escaped(line, line.size()) + "\n";
  }
  return head.append(kEdge).append("#\n");
}

std::string Line(const Frame& frame) {
  const std::string name = FrameText(frame);
  const std::string module = SafeModule(frame.module);
  if (frame.is_inlined) {
    return fmt::format("\t{:16x} {} (inlined)\n", frame.address, name);
  }
  return frame.is_code
             ? fmt::format("\t{:16x} {}+0x{:x} ({})\n", frame.address, name, frame.offset, module)
             : fmt::format("\t{:16x} {} ({})\n", frame.address, name, module);
}

}  // namespace

void WritePerfScript(const StackProfile& profile, std::string_view event,
                     std::span<const std::string> about, const Roots& roots, const TextSink& sink) {
  std::vector<std::string> lines;
  lines.reserve(profile.FrameCount());
  for (FrameId frame = 0; frame < profile.FrameCount(); ++frame) {
    lines.push_back(Line(profile.FrameAt(frame)));
  }
  // speedscope refuses samples of a thread that are out of order.
  std::vector<Sample> samples = profile.samples;
  std::ranges::sort(samples, {}, &Sample::time_ns);

  std::string text = HeaderText(about);
  for (const Sample& sample : samples) {
    const ProfiledWorker& worker = profile.workers[sample.worker];
    const std::uint64_t us = sample.time_ns / 1000;
    // The command must not have a blank: the first number after one is taken for the process.
    fmt::format_to(std::back_inserter(text), "sb-w{} {}/{} [{:03}] {:5}.{:06}: {:10} {}: \n",
                   worker.index, profile.process, worker.thread, sample.cpu, us / 1'000'000,
                   us % 1'000'000, sample.weight_ns, event);
    const auto stack = profile.StackAt(sample.stack);
    for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
      text += lines[*frame];
    }
    const std::vector<std::string> owners = OwnerTexts(profile, sample, roots);
    for (auto owner = owners.rbegin(); owner != owners.rend(); ++owner) {
      fmt::format_to(std::back_inserter(text), "\t{:16x} {} ({})\n", 0, *owner,
                     profile.FrameAt(sample.owner).module);
    }
    text += '\n';
    if (text.size() >= kPart) {
      sink(text);
      text.clear();
    }
  }
  sink(text);
}

}  // namespace schedbench::profile
