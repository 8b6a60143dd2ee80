#include "config/settings_json.hpp"
#include "timeline/exports.hpp"
#include "timeline/part_writer.hpp"
#include "timeline/track_walk.hpp"

#include <cstddef>
#include <functional>
#include <map>
#include <string_view>

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
    WriteTables();
    WriteCounters();
    List("summary", texts.summary, config::JsonString);
    out_.Add("}\n");
    out_.Flush();
  }

 private:
  // Writes "key":[...] with the result of `text`, a function or a member, for each item.
  template <typename Items, typename Text>
  void List(std::string_view key, const Items& items, Text text) {
    out_.Format(R"("{}":[)", key);
    std::string_view separator;
    for (const auto& item : items) {
      out_.Format("{}{}", separator, std::invoke(text, item));
      separator = ",";
    }
    out_.Add("]");
  }

  std::uint64_t At(std::uint64_t ns) const {
    return ns - timeline_.start_ns;
  }

  // Writes "key":{...} with a list for each column. A column is a pair: its key, and a function or
  // member that gives the value of an item.
  template <typename Items, typename... Columns>
  void Table(std::string_view key, const Items& items, const Columns&... columns) {
    out_.Format(",\n\"{}\":{{", key);
    std::string_view separator;
    ((out_.Add(std::exchange(separator, ",\n")), List(columns.first, items, columns.second)), ...);
    out_.Add("}");
  }

  void WriteTables() {
    const std::pair start("start", [this](const auto& item) { return At(item.start); });
    const std::pair duration("duration", [](const auto& item) { return item.end - item.start; });
    const std::pair kind("kind", [](const auto& item) { return static_cast<unsigned>(item.kind); });
    Table("slices", timeline_.slices, std::pair("track", &Slice::track), start, duration,
          std::pair("name", &Slice::name), kind);
    Table("off_cpu", timeline_.off_cpu, std::pair("track", &OffCpuTime::track), start, duration,
          kind);
    Table("arrows", timeline_.arrows, std::pair("from_track", &Arrow::from_track),
          std::pair("from", [this](const Arrow& arrow) { return At(arrow.from); }),
          std::pair("to_track", &Arrow::to_track),
          std::pair("to", [this](const Arrow& arrow) { return At(arrow.to); }), kind);
    Table("instants", instants_,
          std::pair("track", [](const ShownInstant& shown) { return shown.instant->track; }),
          std::pair("at", [this](const ShownInstant& shown) { return At(shown.instant->at); }),
          std::pair("name", &ShownInstant::name));
  }

  struct ShownInstant {
    const Instant* instant;
    std::size_t name;
  };

  // Wakes and steals are already arrows.
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

  void WriteCounters() {
    out_.Add(",\n\"counters\":[");
    std::string_view separator;
    for (const QueueLengths& lengths : timeline_.counters) {
      out_.Format(R"({}{{"name":{},"track":{},)", separator,
                  config::JsonString(CounterName(timeline_, lengths)), lengths.track);
      List("at", lengths.at, [&](std::uint64_t at) { return At(at); });
      out_.Add(",");
      List("value", lengths.length, std::identity());
      out_.Add("}");
      separator = ",\n";
    }
    out_.Add("],\n");
  }

  const Timeline& timeline_;
  PartWriter out_;
  std::vector<std::string> names_;  // names of slices, then of instants
  std::vector<ShownInstant> instants_;
};

}  // namespace

void WritePageData(const Timeline& timeline, const PageTexts& texts,
                   const profile::TextSink& sink) {
  PageWriter(timeline, sink).Write(texts);
}

}  // namespace schedbench::timeline
