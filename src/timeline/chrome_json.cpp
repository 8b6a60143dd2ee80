#include "config/settings_json.hpp"
#include "timeline/exports.hpp"
#include "timeline/part_writer.hpp"
#include "timeline/track_walk.hpp"

#include <string>
#include <vector>

namespace schedbench::timeline {

namespace {

class ChromeWriter {
 public:
  ChromeWriter(const Timeline& timeline, const profile::TextSink& sink)
      : timeline_(timeline),
        out_(sink) {
    for (const std::string& name : timeline.names) {
      names_.push_back(config::JsonString(name));
    }
    for (const QueueLengths& lengths : timeline.counters) {
      counter_names_.push_back(config::JsonString(CounterName(timeline, lengths)));
    }
  }

  void Write() {
    out_.Add(R"({"displayTimeUnit":"ns","traceEvents":[)"
             "\n"
             R"({"ph":"M","pid":1,"name":"process_name","args":{"name":"schedbench"}})");
    TrackWalk walk(timeline_);
    for (std::uint32_t track = 0; track < timeline_.tracks.size(); ++track) {
      out_.Format(R"(,{}{{"ph":"M","pid":1,"tid":{},"name":"thread_name","args":{{"name":{}}}}})",
                  '\n', track, config::JsonString(TrackName(timeline_, track)));
      out_.Format(
          R"(,{}{{"ph":"M","pid":1,"tid":{},"name":"thread_sort_index","args":{{"sort_index":{}}}}})",
          '\n', track, track);
      walk.Walk(track, *this);
    }
    out_.Add("\n]}\n");
    out_.Flush();
  }

  void OnBegin(const Slice& slice) {
    // speedscope nests a slice without length wrongly if a longer one begins with it.
    if (slice.start < slice.end) {
      out_.Format(R"(,{}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":{})", '\n', slice.track,
                  At(slice.start), Length(slice.end - slice.start), names_[slice.name]);
      // No viewer shows it. In "args" speedscope would append it to the name.
      if (slice.fiber != trace::kNoFiber) {
        out_.Format(R"(,"id":{})", slice.fiber);
      }
      out_.Add("}");
    }
  }

  void OnEnd(const Slice& /*slice*/) {
  }

  // 0.2 ns shorter, so that it ends before the enclosing slice, which is 0.1 ns shorter.
  void OnOffCpu(const OffCpuTime& off) {
    out_.Format(R"(,{}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":{},"name":"{}"}})", '\n', off.track,
                At(off.start), Microseconds(off.end - off.start - 1) + '8', OffCpuName(off.kind));
  }

  void OnOnCpu(const OffCpuTime& /*off*/) {
  }

  void OnInstant(const Instant& instant, const Slice* inside) {
    switch (instant.kind) {
      case InstantKind::kSpawn:
      case InstantKind::kWake:
        if (instant.arrow != kNone && inside != nullptr) {
          WriteFlow(instant);
        }
        break;
      case InstantKind::kStolen:
        break;
      case InstantKind::kSteal:
      case InstantKind::kOffload:
      case InstantKind::kGrab:
      case InstantKind::kNetPoll:
        out_.Format(
            R"(,{}{{"ph":"i","s":"t","pid":1,"tid":{},"ts":{},"name":"{}","args":{{"tasks":{}}}}})",
            '\n', instant.track, At(instant.at), InstantName(instant.kind), instant.tasks);
        break;
      case InstantKind::kBlockingCall:
      case InstantKind::kHandOff:
      case InstantKind::kPreemption:
        out_.Format(R"(,{}{{"ph":"i","s":"t","pid":1,"tid":{},"ts":{},"name":"{}"}})", '\n',
                    instant.track, At(instant.at), InstantName(instant.kind));
        break;
    }
  }

  void OnLength(const QueueLengths& lengths, std::size_t i) {
    const auto counter = static_cast<std::size_t>(&lengths - timeline_.counters.data());
    out_.Format(R"(,{}{{"ph":"C","pid":1,"tid":{},"ts":{},"name":{},"args":{{"tasks":{}}}}})", '\n',
                lengths.track, At(lengths.at[i]), counter_names_[counter], lengths.length[i]);
  }

 private:
  // Returns microseconds with all nanoseconds.
  static std::string Microseconds(std::uint64_t ns) {
    return fmt::format("{}.{:03}", ns / 1000, ns % 1000);
  }

  // Returns a tenth of a nanosecond less than `ns`. Readers add start and length as doubles:
  // otherwise one sum in five lies after the start of the next slice, which they then nest.
  static std::string Length(std::uint64_t ns) {
    return Microseconds(ns - 1) + '9';
  }

  std::string At(std::uint64_t ns) const {
    return Microseconds(ns - timeline_.start_ns);
  }

  // Both ends are written at once: readers sort by time.
  void WriteFlow(const Instant& instant) {
    const Arrow& arrow = timeline_.arrows[instant.arrow];
    const std::string_view name = InstantName(instant.kind);
    out_.Format(R"(,{}{{"ph":"s","pid":1,"tid":{},"ts":{},"id":{},"cat":"wake","name":"{}"}})",
                '\n', arrow.from_track, At(arrow.from), instant.arrow, name);
    out_.Format(
        R"(,{}{{"ph":"f","bp":"e","pid":1,"tid":{},"ts":{},"id":{},"cat":"wake","name":"{}"}})",
        '\n', arrow.to_track, At(arrow.to), instant.arrow, name);
  }

  const Timeline& timeline_;
  PartWriter out_;
  std::vector<std::string> names_;  // names of slices, as JSON
  std::vector<std::string> counter_names_;
};

}  // namespace

void WriteChromeJson(const Timeline& timeline, const profile::TextSink& sink) {
  ChromeWriter(timeline, sink).Write();
}

}  // namespace schedbench::timeline
