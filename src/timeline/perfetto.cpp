#include "timeline/exports.hpp"
#include "timeline/part_writer.hpp"
#include "timeline/proto_message.hpp"
#include "timeline/track_walk.hpp"

#include <string_view>
#include <vector>

// Numbers of fields and values are those of Perfetto's protos/perfetto/trace/*.proto; each struct
// here has the name of its message.

namespace schedbench::timeline {

namespace {

constexpr std::uint32_t kTracePacket = 1;

struct TracePacket {
  static constexpr std::uint32_t kTimestamp = 8;
  static constexpr std::uint32_t kSequenceId = 10;
  static constexpr std::uint32_t kTrackEvent = 11;
  static constexpr std::uint32_t kInternedData = 12;
  static constexpr std::uint32_t kSequenceFlags = 13;
  static constexpr std::uint32_t kDefaults = 59;
  static constexpr std::uint32_t kTrackDescriptor = 60;
  // Values of kSequenceFlags.
  static constexpr std::uint64_t kStateCleared = 1;
  static constexpr std::uint64_t kNeedsState = 2;
};

struct Defaults {
  static constexpr std::uint32_t kTrackEvent = 11;  // in TracePacketDefaults
  static constexpr std::uint32_t kTrackUuid = 11;   // in TrackEventDefaults
};

struct InternedData {
  static constexpr std::uint32_t kEventNames = 2;
  static constexpr std::uint32_t kIid = 1;
  static constexpr std::uint32_t kName = 2;
};

struct TrackDescriptor {
  static constexpr std::uint32_t kUuid = 1;
  static constexpr std::uint32_t kName = 2;
  static constexpr std::uint32_t kProcess = 3;
  static constexpr std::uint32_t kThread = 4;
  static constexpr std::uint32_t kParentUuid = 5;
  static constexpr std::uint32_t kCounter = 8;
};

struct ProcessDescriptor {
  static constexpr std::uint32_t kPid = 1;
  static constexpr std::uint32_t kProcessName = 6;
};

struct ThreadDescriptor {
  static constexpr std::uint32_t kPid = 1;
  static constexpr std::uint32_t kTid = 2;
  static constexpr std::uint32_t kThreadName = 5;
};

struct TrackEvent {
  static constexpr std::uint32_t kDebugAnnotations = 4;
  static constexpr std::uint32_t kType = 9;
  static constexpr std::uint32_t kNameIid = 10;
  static constexpr std::uint32_t kTrackUuid = 11;
  static constexpr std::uint32_t kCounterValue = 30;
  static constexpr std::uint32_t kFlowIds = 47;
  static constexpr std::uint32_t kTerminatingFlowIds = 48;
  // Values of kType.
  static constexpr std::uint64_t kSliceBegin = 1;
  static constexpr std::uint64_t kSliceEnd = 2;
  static constexpr std::uint64_t kInstant = 3;
  static constexpr std::uint64_t kCounter = 4;
};

struct DebugAnnotation {
  static constexpr std::uint32_t kUintValue = 3;
  static constexpr std::uint32_t kName = 10;
};

// Numbers of our own.
constexpr std::uint64_t kPid = 1;
constexpr std::uint64_t kProcessUuid = 1;
constexpr std::uint64_t kDescriptorSequence = 1;

// Writes all packets. Each worker's sequence has its track as default, so events need no track.
class PerfettoWriter {
 public:
  PerfettoWriter(const Timeline& timeline, const profile::TextSink& sink)
      : timeline_(timeline),
        out_(sink),
        interned_in_(timeline.names.size() + kInstantKinds + kOffCpuKinds, 0) {
  }

  std::uint64_t Write() {
    DescribeTracks();
    TrackWalk walk(timeline_);
    for (std::uint32_t track = 0; track < timeline_.tracks.size(); ++track) {
      BeginSequence(track);
      walk.Walk(track, *this);
    }
    out_.Flush();
    return events_;
  }

  void OnBegin(const Slice& slice) {
    BeginEvent(TrackEvent::kSliceBegin);
    AddName(slice.name, timeline_.names[slice.name]);
    if (slice.arrow != kNone) {
      event_.AddFixed64(TrackEvent::kTerminatingFlowIds, FlowId(slice.arrow));
    }
    EndEvent(slice.start);
  }

  void OnEnd(const Slice& slice) {
    BeginEvent(TrackEvent::kSliceEnd);
    EndEvent(slice.end);
  }

  void OnOffCpu(const OffCpuTime& off) {
    BeginEvent(TrackEvent::kSliceBegin);
    AddName(
        static_cast<NameId>(timeline_.names.size() + kInstantKinds) + static_cast<NameId>(off.kind),
        OffCpuName(off.kind));
    EndEvent(off.start);
  }

  void OnOnCpu(const OffCpuTime& off) {
    BeginEvent(TrackEvent::kSliceEnd);
    EndEvent(off.end);
  }

  void OnInstant(const Instant& instant, const Slice* /*inside*/) {
    BeginEvent(TrackEvent::kInstant);
    AddName(static_cast<NameId>(timeline_.names.size()) + static_cast<NameId>(instant.kind),
            InstantName(instant.kind));
    if (instant.arrow != kNone) {
      event_.AddFixed64(instant.kind == InstantKind::kSteal ? TrackEvent::kTerminatingFlowIds
                                                            : TrackEvent::kFlowIds,
                        FlowId(instant.arrow));
    }
    if (instant.tasks > 0) {
      part_.Clear();
      part_.AddVarint(DebugAnnotation::kUintValue, instant.tasks);
      part_.AddBytes(DebugAnnotation::kName, "tasks");
      event_.AddMessage(TrackEvent::kDebugAnnotations, part_);
    }
    EndEvent(instant.at);
  }

  void OnLength(const QueueLengths& lengths, std::size_t i) {
    BeginEvent(TrackEvent::kCounter);
    event_.AddVarint(TrackEvent::kTrackUuid,
                     CounterUuid(static_cast<std::size_t>(&lengths - timeline_.counters.data())));
    event_.AddVarint(TrackEvent::kCounterValue, lengths.length[i]);
    EndEvent(lengths.at[i]);
  }

 private:
  static std::uint64_t FlowId(ArrowId arrow) {
    return std::uint64_t{arrow} + 1;
  }

  static std::uint64_t TrackUuid(std::uint32_t track) {
    return kProcessUuid + 1 + track;
  }

  std::uint64_t CounterUuid(std::size_t counter) const {
    return kProcessUuid + 1 + timeline_.tracks.size() + counter;
  }

  void DescribeTracks() {
    ProtoMessage process;
    process.AddVarint(ProcessDescriptor::kPid, kPid);
    process.AddBytes(ProcessDescriptor::kProcessName, "schedbench");
    ProtoMessage descriptor;
    descriptor.AddVarint(TrackDescriptor::kUuid, kProcessUuid);
    descriptor.AddMessage(TrackDescriptor::kProcess, process);
    AddDescriptor(descriptor);
    for (std::uint32_t track = 0; track < timeline_.tracks.size(); ++track) {
      ProtoMessage thread;
      thread.AddVarint(ThreadDescriptor::kPid, kPid);
      // This must not be the process's number, which would be its main thread.
      thread.AddVarint(ThreadDescriptor::kTid, kPid + 1 + track);
      thread.AddBytes(ThreadDescriptor::kThreadName, TrackName(timeline_, track));
      descriptor.Clear();
      descriptor.AddVarint(TrackDescriptor::kUuid, TrackUuid(track));
      descriptor.AddVarint(TrackDescriptor::kParentUuid, kProcessUuid);
      descriptor.AddMessage(TrackDescriptor::kThread, thread);
      AddDescriptor(descriptor);
    }
    for (std::size_t counter = 0; counter < timeline_.counters.size(); ++counter) {
      const QueueLengths& lengths = timeline_.counters[counter];
      descriptor.Clear();
      descriptor.AddVarint(TrackDescriptor::kUuid, CounterUuid(counter));
      descriptor.AddVarint(TrackDescriptor::kParentUuid, kProcessUuid);
      descriptor.AddBytes(TrackDescriptor::kName, CounterName(timeline_, lengths));
      descriptor.AddMessage(TrackDescriptor::kCounter, {});
      AddDescriptor(descriptor);
    }
  }

  void AddDescriptor(const ProtoMessage& descriptor) {
    packet_.Clear();
    packet_.AddVarint(TracePacket::kSequenceId, kDescriptorSequence);
    packet_.AddMessage(TracePacket::kTrackDescriptor, descriptor);
    AddPacket();
  }

  void BeginSequence(std::uint32_t track) {
    sequence_ = kDescriptorSequence + 1 + track;
    ProtoMessage track_event;
    track_event.AddVarint(Defaults::kTrackUuid, TrackUuid(track));
    ProtoMessage defaults;
    defaults.AddMessage(Defaults::kTrackEvent, track_event);
    packet_.Clear();
    packet_.AddVarint(TracePacket::kSequenceId, sequence_);
    packet_.AddVarint(TracePacket::kSequenceFlags,
                      TracePacket::kStateCleared | TracePacket::kNeedsState);
    packet_.AddMessage(TracePacket::kDefaults, defaults);
    AddPacket();
  }

  void BeginEvent(std::uint64_t type) {
    event_.Clear();
    interned_.Clear();
    event_.AddVarint(TrackEvent::kType, type);
  }

  // A sequence has the name's text at its first use.
  void AddName(NameId name, std::string_view text) {
    const std::uint64_t iid = std::uint64_t{name} + 1;  // 0 means none
    event_.AddVarint(TrackEvent::kNameIid, iid);
    if (interned_in_[name] != sequence_) {
      interned_in_[name] = sequence_;
      part_.Clear();
      part_.AddVarint(InternedData::kIid, iid);
      part_.AddBytes(InternedData::kName, text);
      interned_.AddMessage(InternedData::kEventNames, part_);
    }
  }

  void EndEvent(std::uint64_t ns) {
    packet_.Clear();
    packet_.AddVarint(TracePacket::kTimestamp, ns - timeline_.start_ns);
    packet_.AddVarint(TracePacket::kSequenceId, sequence_);
    packet_.AddVarint(TracePacket::kSequenceFlags, TracePacket::kNeedsState);
    if (!interned_.Bytes().empty()) {
      packet_.AddMessage(TracePacket::kInternedData, interned_);
    }
    packet_.AddMessage(TracePacket::kTrackEvent, event_);
    AddPacket();
    ++events_;
  }

  void AddPacket() {
    trace_.Clear();
    trace_.AddMessage(kTracePacket, packet_);
    out_.Add(trace_.Bytes());
  }

  const Timeline& timeline_;
  PartWriter out_;
  std::vector<std::uint64_t> interned_in_;  // for each name: the last sequence that has its text
  std::uint64_t sequence_ = 0;
  std::uint64_t events_ = 0;
  // These fields are kept to reuse their memory.
  ProtoMessage trace_;
  ProtoMessage packet_;
  ProtoMessage event_;
  ProtoMessage interned_;
  ProtoMessage part_;
};

}  // namespace

std::uint64_t WritePerfetto(const Timeline& timeline, const profile::TextSink& sink) {
  return PerfettoWriter(timeline, sink).Write();
}

}  // namespace schedbench::timeline
