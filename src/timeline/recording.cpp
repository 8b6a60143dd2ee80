#include "timeline/recording.hpp"

#include "profile/sampling/frame_text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace schedbench::timeline {

void Recording::AddWorker(std::uint32_t worker, const trace::RingContent& content) {
  WorkerEvents taken{.worker = worker, .overwritten = content.overwritten};
  taken.events.reserve(content.events.size());
  std::uint64_t latest = 0;
  for (const trace::Event& event : content.events) {
    std::uint64_t ns = clock_.NsAt(event.tsc);
    if (ns < latest) {
      ns = latest;
      ++taken.timestamps_corrected;
    }
    latest = ns;
    trace::Label label = trace::kNoLabel;
    std::uint16_t arg = event.arg;
    if (event.kind == trace::EventKind::kSwitch) {
      label = trace::LabelOf(event.arg);
      arg = static_cast<std::uint16_t>(trace::ReasonOf(event.arg));
    } else if (event.kind == trace::EventKind::kSpawn) {
      label = std::exchange(arg, trace::kNoLabel);
    }
    if (label != trace::kNoLabel) {
      label_of_[event.fiber] = label;
    }
    taken.events.push_back({.ns = ns, .fiber = event.fiber, .arg = arg, .kind = event.kind});
  }
  workers_.push_back(std::move(taken));
}

void Recording::NameFiber(std::uint32_t fiber, std::string_view name) {
  if (!name.empty()) {
    label_of_[fiber] = labels_.size();
    labels_.push_back(profile::SafeName(name));
  }
}

void Recording::SetLabels(const std::vector<std::string>& texts) {
  labels_.assign(1, "");
  for (std::size_t label = 1; label < texts.size(); ++label) {
    labels_.push_back(profile::SafeName(texts[label]));
  }
}

std::uint64_t Recording::LastEventNs() const {
  std::uint64_t last = StartNs();
  for (const WorkerEvents& worker : workers_) {
    last = std::max(last, worker.events.empty() ? 0 : worker.events.back().ns);
  }
  return last;
}

std::string Recording::DisplayName(std::uint32_t fiber) const {
  const auto known = label_of_.find(fiber);
  if (known != label_of_.end() && known->second < labels_.size()) {
    return labels_[known->second];
  }
  return fiber >= trace::kFirstTask ? "task" : fmt::format("fiber {}", fiber);
}

std::string Recording::FullName(std::uint32_t fiber) const {
  if (fiber >= trace::kFirstTask) {
    return fmt::format("task {}", fiber - trace::kFirstTask);
  }
  const std::string number = fmt::format("fiber {}", fiber);
  const std::string name = DisplayName(fiber);
  return name == number ? number : fmt::format("{} ({})", name, number);
}

Recording Collect(const trace::Session& session) {
  std::vector<trace::RingContent> contents;
  for (std::size_t worker = 0; worker < session.WorkerCount(); ++worker) {
    contents.push_back(session.Read(worker));
  }
  const trace::RingContent external = session.ReadExternal();
  // Read the clock after the events: if the recording continues, no event is later.
  Recording recording(session.Clock());
  recording.SetLabels(session.LabelTexts());
  for (std::size_t worker = 0; worker < contents.size(); ++worker) {
    recording.AddWorker(static_cast<std::uint32_t>(worker), contents[worker]);
  }
  if (!external.events.empty()) {
    recording.AddWorker(kExternal, external);
  }
  return recording;
}

}  // namespace schedbench::timeline
