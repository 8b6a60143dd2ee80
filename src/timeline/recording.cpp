#include "timeline/recording.hpp"

#include "profile/frame_text.hpp"

#include <fmt/format.h>

#include <utility>

namespace schedbench::timeline {

void Recording::AddWorker(std::uint32_t worker, const trace::RingContent& content) {
  WorkerEvents taken{.worker = worker, .overwritten = content.overwritten};
  taken.events.reserve(content.events.size());
  std::uint64_t latest = 0;
  for (const trace::Event& event : content.events) {
    std::uint64_t ns = clock_.NsAt(event.tsc);
    if (ns < latest) {
      ns = latest;
      ++taken.times_mended;
    }
    latest = ns;
    taken.events.push_back({.ns = ns, .fiber = event.fiber, .arg = event.arg, .kind = event.kind});
  }
  workers_.push_back(std::move(taken));
}

void Recording::NameFiber(std::uint32_t fiber, std::string_view name) {
  if (!name.empty()) {
    names_.insert_or_assign(fiber, profile::SafeName(name));
  }
}

std::string Recording::DisplayName(std::uint32_t fiber) const {
  const auto known = names_.find(fiber);
  return known == names_.end() ? fmt::format("fiber {}", fiber) : known->second;
}

Recording Collect(const trace::Session& session) {
  std::vector<trace::RingContent> contents;
  for (std::size_t worker = 0; worker < session.WorkerCount(); ++worker) {
    contents.push_back(session.Read(worker));
  }
  // The clock after the events: where the recording goes on, none of them is beyond it.
  Recording recording(session.Clock());
  for (std::size_t worker = 0; worker < contents.size(); ++worker) {
    recording.AddWorker(static_cast<std::uint32_t>(worker), contents[worker]);
  }
  return recording;
}

}  // namespace schedbench::timeline
