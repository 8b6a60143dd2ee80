#include "profile/speedscope.hpp"

#include "config/settings_json.hpp"
#include "profile/folded.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace schedbench::profile {

namespace {

// Frames that differ only in their address are one function, and one of speedscope's frames.
class Functions {
 public:
  explicit Functions(const StackProfile& profile) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> known;
    for (FrameId id = 0; id < profile.FrameCount(); ++id) {
      const Frame& frame = profile.FrameAt(id);
      const auto [place, is_new] = known.try_emplace({frame.name, frame.file}, known.size());
      of_frame_.push_back(place->second);
      if (is_new) {
        json_ += fmt::format("{}{{\"name\":{}", json_.empty() ? "" : ",\n",
                             config::JsonString(frame.name));
        if (!frame.file.empty()) {
          json_ += fmt::format(",\"file\":{}", config::JsonString(frame.file));
        }
        json_ += "}";
      }
    }
  }

  std::size_t Of(FrameId frame) const {
    return of_frame_[frame];
  }

  const std::string& Json() const {
    return json_;
  }

 private:
  std::vector<std::size_t> of_frame_;
  std::string json_;
};

std::string WorkerJson(const StackProfile& profile, const Functions& functions,
                       std::uint32_t worker) {
  std::vector<Sample> samples;
  std::ranges::copy_if(profile.samples, std::back_inserter(samples),
                       [&](const Sample& sample) { return sample.worker == worker; });
  std::ranges::sort(samples, {}, &Sample::time_ns);
  std::string stacks;
  std::string weights;
  std::uint64_t sum = 0;
  for (const Sample& sample : samples) {
    const std::string_view separator = stacks.empty() ? "" : ",";
    fmt::format_to(std::back_inserter(stacks), "{}[{}", separator, functions.Of(sample.owner));
    for (const FrameId frame : profile.StackAt(sample.stack)) {
      fmt::format_to(std::back_inserter(stacks), ",{}", functions.Of(frame));
    }
    stacks += ']';
    fmt::format_to(std::back_inserter(weights), "{}{}", separator, sample.weight_ns);
    sum += sample.weight_ns;
  }
  return fmt::format(
      "{{\"type\":\"sampled\",\"name\":{},\"unit\":\"nanoseconds\",\"startValue\":0,\"endValue\":{}"
      ",\n"
      "\"samples\":[{}],\n\"weights\":[{}]}}",
      config::JsonString(WorkerText(profile.workers[worker])), sum, stacks, weights);
}

}  // namespace

void WriteSpeedscope(const StackProfile& profile, std::string_view title, const TextSink& sink) {
  const Functions functions(profile);
  sink(
      fmt::format("{{\"$schema\":\"https://www.speedscope.app/file-format-schema.json\",\n"
                  "\"exporter\":\"schedbench\",\"name\":{},\"activeProfileIndex\":0,\n"
                  "\"shared\":{{\"frames\":[",
                  config::JsonString(title)));
  sink(functions.Json());
  sink("]},\n\"profiles\":[");
  for (std::uint32_t worker = 0; worker < profile.workers.size(); ++worker) {
    sink((worker == 0 ? "" : ",\n") + WorkerJson(profile, functions, worker));
  }
  sink("]}\n");
}

}  // namespace schedbench::profile
