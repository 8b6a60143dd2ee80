// Models of the ring of events: src/trace/event_ring.hpp.
#include "trace/event_ring.hpp"

#include "tests/sim/models/support.hpp"

#include <cstddef>
#include <cstdint>

namespace schedbench::sim::event_ring_model {

namespace {

using trace::EventKind;
using trace::EventRing;
using trace::RingContent;

// Both words of an event contain its number.
void Record(EventRing& ring, std::uint32_t number) {
  ring.RecordAt(number, EventKind::kWake, number);
}

void CheckWhole(const RingContent& content) {
  for (std::size_t i = 0; i < content.events.size(); ++i) {
    Check(content.events[i].tsc == content.overwritten + i,
          "an event is another than it should be");
    Check(content.events[i].fiber == content.events[i].tsc, "an event is of two halves");
  }
}

// A reader discards, then reads, while a writer goes around a ring.
void DiscardingReader(std::uint32_t before, std::uint32_t meanwhile) {
  EventRing ring(0, 1);
  for (std::uint32_t i = 0; i < before; ++i) {
    Record(ring, i);
  }
  std::uint32_t first = 0;  // that was not discarded
  platform::Thread reader("reader", [&] {
    ring.Discard();
    const RingContent content = ring.ReadLive();
    if (!content.events.empty()) {
      first = content.events.front().fiber - static_cast<std::uint32_t>(content.overwritten);
      Check(first >= before, "an event is there that was discarded");
    }
    for (std::size_t i = 0; i < content.events.size(); ++i) {
      Check(content.events[i].fiber == content.events[i].tsc, "an event is of two halves");
      Check(content.events[i].fiber == first + content.overwritten + i, "an event is missing");
    }
  });
  for (std::uint32_t i = before; i < before + meanwhile; ++i) {
    Record(ring, i);
  }
  reader.Join();
  const RingContent content = ring.ReadStopped();
  Check(content.events.empty() || content.events.back().fiber == before + meanwhile - 1,
        "the last event is not there");
  Check(first == 0 || content.events.empty() ||
            content.events.front().fiber == first + content.overwritten,
        "what was overwritten is counted from the first event that was not discarded");
  Check(ring.ReadLive().events.size() + 1 >= content.events.size(),
        "a live reader drops more than the one event that may be replaced");
}

// A writer goes around a ring while another thread reads.
void LiveReader(unsigned bits, std::uint32_t before, std::uint32_t meanwhile) {
  EventRing ring(0, bits);
  for (std::uint32_t i = 0; i < before; ++i) {
    Record(ring, i);
  }
  platform::Thread reader("reader", [&] {
    const RingContent content = ring.ReadLive();
    CheckWhole(content);
    Check(content.overwritten + content.events.size() >= before, "an event is not seen");
  });
  for (std::uint32_t i = before; i < before + meanwhile; ++i) {
    Record(ring, i);
  }
  reader.Join();
  const RingContent content = ring.ReadStopped();
  CheckWhole(content);
  Check(content.overwritten + content.events.size() == before + meanwhile, "an event is lost");
}

const ModelRegistration kFirstRound{{
    .name = "event_ring/first_round",
    .claim = "a live reader sees whole events only while the ring is filled for the first time",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 4, .spurious = 0},
    .body = [] { LiveReader(1, 0, 2); },
}};

const ModelRegistration kOverwritten{{
    .name = "event_ring/overwritten",
    .claim = "a live reader drops each event that the writer may be replacing",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 4, .spurious = 0},
    .body = [] { LiveReader(1, 2, 2); },
}};

const ModelRegistration kDiscarded{{
    .name = "event_ring/discarded",
    .claim = "a reader that has discarded events sees only later ones, and all that are whole",
    .limits = {.preemptions = Limits::kUnlimited, .stale_reads = 4, .spurious = 0},
    .body = [] { DiscardingReader(1, 3); },
}};

const ModelRegistration kLapped{{
    .name = "event_ring/lapped",
    .claim = "a live reader that is lapped more than once keeps nothing that is not whole",
    .limits = {.preemptions = 4, .stale_reads = 4, .spurious = 0},
    .body = [] { LiveReader(1, 1, 4); },
}};

}  // namespace

}  // namespace schedbench::sim::event_ring_model
