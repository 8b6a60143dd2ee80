#include "timeline/page_data.hpp"

#include "profile/json_string.hpp"
#include "timeline/part_writer.hpp"
#include "timeline/track_walk.hpp"

#include <functional>
#include <vector>

namespace schedbench::timeline {

namespace {

class Writer {
 public:
  Writer(const Timeline& timeline, const profile::TextSink& sink)
      : timeline_(timeline),
        out_(sink) {
  }

  void Write(std::string_view title, std::span<const std::string> summary) {
    out_.Format(R"({{"version":1,"title":{},"start_ns":0,"end_ns":{},"overwritten":{},)",
                profile::JsonString(title), timeline_.LengthNs(), timeline_.overwritten);
    List("tracks", timeline_.tracks, [&](const Track& track) {
      const auto place = static_cast<std::uint32_t>(&track - timeline_.tracks.data());
      return profile::JsonString(TrackName(timeline_, place));
    });
    out_.Add(",\n");
    List("names", timeline_.names, profile::JsonString);
    WriteSlices();
    WriteArrows();
    WriteInstants();
    WriteCounters();
    List("summary", summary, profile::JsonString);
    out_.Add("}\n");
    out_.Flush();
  }

 private:
  // "key":[...] with what `text` makes of each item.
  template <typename Items, typename Text>
  void List(std::string_view key, const Items& items, Text text) {
    out_.Format(R"("{}":[)", key);
    std::string_view separator;
    for (const auto& item : items) {
      out_.Format("{}{}", separator, text(item));
      separator = ",";
    }
    out_.Add("]");
  }

  std::uint64_t At(std::uint64_t ns) const {
    return ns - timeline_.start_ns;
  }

  void WriteSlices() {
    const std::vector<Slice>& slices = timeline_.slices;
    out_.Add(",\n\"slices\":{");
    List("track", slices, [](const Slice& slice) {
      return slice.track;
    });
    out_.Add(",\n");
    List("start", slices, [&](const Slice& slice) {
      return At(slice.start);
    });
    out_.Add(",\n");
    List("duration", slices, [](const Slice& slice) {
      return slice.end - slice.start;
    });
    out_.Add(",\n");
    List("name", slices, [](const Slice& slice) {
      return slice.name;
    });
    out_.Add(",\n");
    List("kind", slices, [](const Slice& slice) {
      return static_cast<unsigned>(slice.kind);
    });
  }

  void WriteArrows() {
    const std::vector<Arrow>& arrows = timeline_.arrows;
    out_.Add("},\n\"arrows\":{");
    List("from_track", arrows, [](const Arrow& arrow) {
      return arrow.from_track;
    });
    out_.Add(",\n");
    List("from", arrows, [&](const Arrow& arrow) {
      return At(arrow.from);
    });
    out_.Add(",\n");
    List("to_track", arrows, [](const Arrow& arrow) {
      return arrow.to_track;
    });
    out_.Add(",\n");
    List("to", arrows, [&](const Arrow& arrow) {
      return At(arrow.to);
    });
    out_.Add(",\n");
    List("kind", arrows, [](const Arrow& arrow) {
      return static_cast<unsigned>(arrow.kind);
    });
  }

  // Wakes and steals are arrows already.
  void WriteInstants() {
    std::vector<Instant> shown;
    for (const Instant& instant : timeline_.instants) {
      if (instant.kind == InstantKind::kSpawn || instant.kind == InstantKind::kOffload ||
          instant.kind == InstantKind::kGlobalTake) {
        shown.push_back(instant);
      }
    }
    out_.Add("},\n\"instants\":{");
    List("track", shown, [](const Instant& instant) {
      return instant.track;
    });
    out_.Add(",\n");
    List("at", shown, [&](const Instant& instant) {
      return At(instant.at);
    });
    out_.Add(",\n");
    List("name", shown, [](const Instant& instant) {
      return instant.tasks == 0
                 ? fmt::format("\"{}\"", InstantName(instant.kind))
                 : fmt::format("\"{} {}\"", InstantName(instant.kind), instant.tasks);
    });
  }

  void WriteCounters() {
    out_.Add("},\n\"counters\":[");
    std::string_view separator;
    for (const QueueLengths& lengths : timeline_.counters) {
      out_.Format(R"({}{{"name":{},"track":{},)", separator,
                  profile::JsonString(CounterName(timeline_, lengths)), lengths.track);
      List("at", lengths.at, [&](std::uint64_t at) {
        return At(at);
      });
      out_.Add(",");
      List("value", lengths.length, std::identity());
      out_.Add("}");
      separator = ",\n";
    }
    out_.Add("],\n");
  }

  const Timeline& timeline_;
  PartWriter out_;
};

}  // namespace

void WritePageData(const Timeline& timeline, std::string_view title,
                   std::span<const std::string> summary, const profile::TextSink& sink) {
  Writer(timeline, sink).Write(title, summary);
}

}  // namespace schedbench::timeline
