#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Perfetto's traces as its importer reads them, by the rules of the format and not of our writer:
// what we never write is an error here.

namespace schedbench::timeline {

struct ProtoField {
  std::uint32_t number = 0;
  std::uint32_t wire_type = 0;  // 0 varint, 1 fixed64, 2 bytes
  std::uint64_t value = 0;      // of the first two
  std::string_view bytes{};     // of the last
};

// Splits a message into its fields. Throws std::runtime_error where it is cut short or has another
// wire type.
std::vector<ProtoField> ReadMessage(std::string_view message);

struct PerfettoEvent {
  std::uint64_t timestamp = 0;
  std::uint64_t type = 0;  // 1 begin, 2 end, 3 instant, 4 counter
  std::string name{};
  std::int64_t value = 0;  // of a counter
  std::vector<std::uint64_t> flows{};
  std::vector<std::uint64_t> ended_flows{};
  std::map<std::string, std::uint64_t> annotations{};
};

struct PerfettoTrack {
  std::uint64_t parent = 0;
  std::string name{};  // of the process, the thread or the counter
  std::optional<std::uint64_t> pid{};
  std::optional<std::uint64_t> tid{};
  bool is_counter = false;
  std::vector<PerfettoEvent> events{};  // in the order of the file
};

// Tracks by uuid. Throws std::runtime_error at what an importer refuses: events of a track that was
// not described, names that were not interned in their sequence, state that was used before it was
// cleared.
std::map<std::uint64_t, PerfettoTrack> ReadPerfetto(std::string_view trace);

}  // namespace schedbench::timeline
