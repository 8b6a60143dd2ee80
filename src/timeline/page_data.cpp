#include "timeline/page_data.hpp"

#include "config/json_string.hpp"
#include "timeline/part_writer.hpp"
#include "timeline/track_walk.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace schedbench::timeline {

namespace {

class PageWriter {
 public:
  PageWriter(const Timeline& timeline, const profile::TextSink& sink)
      : timeline_(timeline),
        out_(sink),
        names_(timeline.names) {
  }

  void Write(const PageTexts& texts) {
    out_.Format(R"({{"version":1,"title":{},)", config::JsonString(texts.title));
    List("facts", texts.facts, [](const auto& fact) {
      return fmt::format("[{},{}]", config::JsonString(fact.first),
                         config::JsonString(fact.second));
    });
    out_.Format(R"(,"start_ns":0,"end_ns":{},"overwritten":{},)", timeline_.LengthNs(),
                timeline_.overwritten);
    List("tracks", timeline_.tracks, [&](const Track& track) {
      const auto place = static_cast<std::uint32_t>(&track - timeline_.tracks.data());
      return config::JsonString(TrackName(timeline_, place));
    });
    out_.Add(",\n");
    CollectInstants();
    List("names", names_, config::JsonString);
    WriteSlices();
    WriteOffCpu();
    WriteArrows();
    WriteInstants();
    WriteCounters();
    List("summary", texts.summary, config::JsonString);
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

  void WriteOffCpu() {
    const std::vector<OffCpuTime>& times = timeline_.off_cpu;
    out_.Add("},\n\"off_cpu\":{");
    List("track", times, [](const OffCpuTime& off) {
      return off.track;
    });
    out_.Add(",\n");
    List("start", times, [&](const OffCpuTime& off) {
      return At(off.start);
    });
    out_.Add(",\n");
    List("duration", times, [](const OffCpuTime& off) {
      return off.end - off.start;
    });
    out_.Add(",\n");
    List("kind", times, [](const OffCpuTime& off) {
      return static_cast<unsigned>(off.kind);
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

  struct ShownInstant {
    const Instant* instant;
    std::size_t name;
  };

  // Wakes and steals are arrows already.
  void CollectInstants() {
    std::map<std::pair<InstantKind, std::uint32_t>, std::size_t> known;
    for (const Instant& instant : timeline_.instants) {
      if (instant.kind == InstantKind::kWake || instant.kind == InstantKind::kSteal ||
          instant.kind == InstantKind::kStolen) {
        continue;
      }
      const auto [place, is_new] = known.try_emplace({instant.kind, instant.tasks}, names_.size());
      if (is_new) {
        const std::string_view name = InstantName(instant.kind);
        names_.push_back(instant.tasks == 0 ? std::string(name)
                                            : fmt::format("{} {}", name, instant.tasks));
      }
      instants_.push_back({.instant = &instant, .name = place->second});
    }
  }

  void WriteInstants() {
    out_.Add("},\n\"instants\":{");
    List("track", instants_, [](const ShownInstant& shown) {
      return shown.instant->track;
    });
    out_.Add(",\n");
    List("at", instants_, [&](const ShownInstant& shown) {
      return At(shown.instant->at);
    });
    out_.Add(",\n");
    List("name", instants_, [](const ShownInstant& shown) {
      return shown.name;
    });
  }

  void WriteCounters() {
    out_.Add("},\n\"counters\":[");
    std::string_view separator;
    for (const QueueLengths& lengths : timeline_.counters) {
      out_.Format(R"({}{{"name":{},"track":{},)", separator,
                  config::JsonString(CounterName(timeline_, lengths)), lengths.track);
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
  std::vector<std::string> names_;  // of slices, then of instants
  std::vector<ShownInstant> instants_;
};

}  // namespace

void WritePageData(const Timeline& timeline, const PageTexts& texts,
                   const profile::TextSink& sink) {
  PageWriter(timeline, sink).Write(texts);
}

}  // namespace schedbench::timeline
