#include "tests/timeline/perfetto_reader.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

namespace schedbench::timeline {

namespace {

[[noreturn]] void Refuse(std::string_view what) {
  throw std::runtime_error(std::string(what));
}

std::uint64_t TakeVarint(std::string_view& rest) {
  std::uint64_t value = 0;
  for (unsigned shift = 0; shift < 64; shift += 7) {
    if (rest.empty()) {
      Refuse("a number is cut short");
    }
    const auto byte = static_cast<unsigned char>(rest.front());
    rest.remove_prefix(1);
    value |= std::uint64_t{byte & 0x7FU} << shift;
    if ((byte & 0x80U) == 0) {
      return value;
    }
  }
  Refuse("a number is too long");
}

std::string_view TakeBytes(std::string_view& rest, std::uint64_t count) {
  if (count > rest.size()) {
    Refuse("a field is cut short");
  }
  const std::string_view bytes = rest.substr(0, count);
  rest.remove_prefix(count);
  return bytes;
}

struct Sequence {
  bool has_state = false;
  std::uint64_t default_track = 0;
  std::map<std::uint64_t, std::string> names{};
};

class Reader {
 public:
  std::map<std::uint64_t, PerfettoTrack> Read(std::string_view trace) && {
    for (const ProtoField& field : ReadMessage(trace)) {
      if (field.number != 1 || field.wire_type != 2) {
        Refuse("not a packet");
      }
      ReadPacket(field.bytes);
    }
    return std::move(tracks_);
  }

 private:
  void ReadPacket(std::string_view packet) {
    std::uint64_t timestamp = 0;
    std::uint64_t sequence_id = 0;
    std::uint64_t flags = 0;
    std::string_view event;
    std::string_view interned;
    std::string_view defaults;
    for (const ProtoField& field : ReadMessage(packet)) {
      switch (field.number) {
        case 8:
          timestamp = field.value;
          break;
        case 10:
          sequence_id = field.value;
          break;
        case 11:
          event = field.bytes;
          break;
        case 12:
          interned = field.bytes;
          break;
        case 13:
          flags = field.value;
          break;
        case 59:
          defaults = field.bytes;
          break;
        case 60:
          ReadDescriptor(field.bytes);
          break;
        default:
          Refuse(fmt::format("packet has field {}", field.number));
      }
    }
    if (sequence_id == 0) {
      Refuse("a packet without a sequence");
    }
    Sequence& sequence = sequences_[sequence_id];
    if ((flags & 1U) != 0) {
      sequence = {.has_state = true};
    } else if ((flags & 2U) != 0 && !sequence.has_state) {
      Refuse("a sequence whose state was never cleared");
    }
    ReadDefaults(defaults, sequence);
    ReadNames(interned, sequence);
    if (!event.empty()) {
      ReadEvent(event, timestamp, sequence, flags);
    }
  }

  void ReadDescriptor(std::string_view descriptor) {
    std::uint64_t uuid = 0;
    PerfettoTrack track;
    for (const ProtoField& field : ReadMessage(descriptor)) {
      switch (field.number) {
        case 1:
          uuid = field.value;
          break;
        case 2:
          track.name = field.bytes;
          break;
        case 3:
          ReadOwner(field.bytes, 6, track);
          break;
        case 4:
          ReadOwner(field.bytes, 5, track);
          break;
        case 5:
          track.parent = field.value;
          break;
        case 8:
          track.is_counter = true;
          break;
        default:
          Refuse(fmt::format("descriptor has field {}", field.number));
      }
    }
    if (!tracks_.emplace(uuid, std::move(track)).second) {
      Refuse("a track is described twice");
    }
  }

  // A process has no thread's number, and its name in another field.
  static void ReadOwner(std::string_view owner, std::uint32_t name_field, PerfettoTrack& track) {
    for (const ProtoField& field : ReadMessage(owner)) {
      if (field.number == 1) {
        track.pid = field.value;
      } else if (field.number == 2 && name_field == 5) {
        track.tid = field.value;
      } else if (field.number == name_field) {
        track.name = field.bytes;
      } else {
        Refuse("an unknown field of a process or thread");
      }
    }
  }

  static void ReadDefaults(std::string_view defaults, Sequence& sequence) {
    for (const ProtoField& field : ReadMessage(defaults)) {
      if (field.number != 11) {
        Refuse("an unknown default");
      }
      for (const ProtoField& inner : ReadMessage(field.bytes)) {
        sequence.default_track = inner.number == 11 ? inner.value : 0;
      }
    }
  }

  static void ReadNames(std::string_view interned, Sequence& sequence) {
    for (const ProtoField& field : ReadMessage(interned)) {
      if (field.number != 2) {
        Refuse("interned data that are no names");
      }
      std::uint64_t iid = 0;
      std::string name;
      for (const ProtoField& inner : ReadMessage(field.bytes)) {
        if (inner.number == 1) {
          iid = inner.value;
        } else {
          name = inner.bytes;
        }
      }
      if (iid == 0 || !sequence.names.emplace(iid, name).second) {
        Refuse("a name is interned without a number, or twice");
      }
    }
  }

  void ReadEvent(std::string_view text, std::uint64_t timestamp, const Sequence& sequence,
                 std::uint64_t flags) {
    PerfettoEvent event{.timestamp = timestamp};
    std::uint64_t track = sequence.default_track;
    for (const ProtoField& field : ReadMessage(text)) {
      switch (field.number) {
        case 4:
          ReadAnnotation(field.bytes, event);
          break;
        case 9:
          event.type = field.value;
          break;
        case 10:
          if ((flags & 2U) == 0 || !sequence.names.contains(field.value)) {
            Refuse("a name that was not interned");
          }
          event.name = sequence.names.at(field.value);
          break;
        case 11:
          track = field.value;
          break;
        case 30:
          event.value = static_cast<std::int64_t>(field.value);
          break;
        case 47:
        case 48:
          if (field.wire_type != 1) {
            Refuse("a flow that is not fixed64");
          }
          (field.number == 47 ? event.flows : event.ended_flows).push_back(field.value);
          break;
        default:
          Refuse(fmt::format("event has field {}", field.number));
      }
    }
    if (!tracks_.contains(track)) {
      Refuse("an event on a track that was not described");
    }
    tracks_[track].events.push_back(std::move(event));
  }

  static void ReadAnnotation(std::string_view text, PerfettoEvent& event) {
    std::string name;
    std::uint64_t value = 0;
    for (const ProtoField& field : ReadMessage(text)) {
      if (field.number == 10) {
        name = field.bytes;
      } else if (field.number == 3) {
        value = field.value;
      } else {
        Refuse("an unknown field of an annotation");
      }
    }
    event.annotations[name] = value;
  }

  std::map<std::uint64_t, PerfettoTrack> tracks_;
  std::map<std::uint64_t, Sequence> sequences_;
};

}  // namespace

std::vector<ProtoField> ReadMessage(std::string_view message) {
  std::vector<ProtoField> fields;
  while (!message.empty()) {
    const std::uint64_t key = TakeVarint(message);
    ProtoField field{.number = static_cast<std::uint32_t>(key >> 3),
                     .wire_type = static_cast<std::uint32_t>(key & 7U)};
    switch (field.wire_type) {
      case 0:
        field.value = TakeVarint(message);
        break;
      case 1: {
        const std::string_view bytes = TakeBytes(message, 8);
        for (unsigned byte = 0; byte < 8; ++byte) {
          field.value |= std::uint64_t{static_cast<unsigned char>(bytes[byte])} << (8 * byte);
        }
        break;
      }
      case 2:
        field.bytes = TakeBytes(message, TakeVarint(message));
        break;
      default:
        Refuse("an unknown wire type");
    }
    fields.push_back(field);
  }
  return fields;
}

std::map<std::uint64_t, PerfettoTrack> ReadPerfetto(std::string_view trace) {
  return Reader().Read(trace);
}

}  // namespace schedbench::timeline
