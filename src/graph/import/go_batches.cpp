#include "graph/import/go_batches.hpp"

#include "graph/import/go_formats.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

namespace schedbench::graph {

namespace {

// The first byte of a batch.
constexpr unsigned char kEventBatch = 1;
constexpr unsigned char kExperimentalBatch = 49;
constexpr unsigned char kEndOfGeneration = 52;
// The first byte in the content of a batch that does not have events of a thread.
constexpr unsigned char kStacks = 2;
constexpr unsigned char kStack = 3;
constexpr unsigned char kStrings = 4;
constexpr unsigned char kString = 5;
constexpr unsigned char kCpuSamples = 6;
constexpr unsigned char kFrequency = 8;
constexpr unsigned char kSync = 50;

// Returns the number of an event's arguments after its time; -1 for events without a time.
int ArgumentsOf(unsigned kind) {
  constexpr unsigned kFirst = 9;
  constexpr std::array kOfEvents{2, 2, 0, 3, 2, 3, 1, 2, 0, 0, 2, 2, 3, 2, 0, 0, 3, 2, 0, 1,
                                 2, 1, 1, 1, 2, 1, 1, 0, 1, 1, 1, 4, 2, 3, 3, 4, 2, 2, 3, 4};
  constexpr unsigned kFirstExperiment = 128;
  constexpr std::array kOfExperiments{3, 3, 1, 2, 2, 1, 2, 2, 1};
  if (kind >= kFirst && kind - kFirst < kOfEvents.size()) {
    return kOfEvents[kind - kFirst];
  }
  if (kind >= kFirstExperiment && kind - kFirstExperiment < kOfExperiments.size()) {
    return kOfExperiments[kind - kFirstExperiment];
  }
  return -1;
}

void ReadStacks(ByteReader bytes, GoGeneration& generation) {
  bytes.Byte();
  while (!bytes.IsEmpty()) {
    if (bytes.Byte() != kStack) {
      bytes.Refuse("a batch of stacks has something else");
    }
    const std::uint64_t id = bytes.Number();
    std::uint64_t function = 0;
    for (std::uint64_t frames = bytes.Number(); frames > 0; --frames) {
      bytes.Number();
      function = bytes.Number();
      bytes.Number();
      bytes.Number();
    }
    generation.roots[id] = function;
  }
}

void ReadStrings(ByteReader bytes, GoGeneration& generation) {
  bytes.Byte();
  while (!bytes.IsEmpty()) {
    if (bytes.Byte() != kString) {
      bytes.Refuse("a batch of strings has something else");
    }
    const std::uint64_t id = bytes.Number();
    generation.texts[id] = bytes.Text();
  }
}

void ReadFrequency(ByteReader bytes, bool is_sync, GoGeneration& generation) {
  if (is_sync) {
    bytes.Byte();
  }
  if (bytes.Byte() != kFrequency) {
    bytes.Refuse("a batch of the clock has no frequency");
  }
  const std::uint64_t frequency = bytes.Number();
  if (frequency == 0) {
    bytes.Refuse("the frequency of its clock is 0");
  }
  generation.ns_per_tick = 1.0 / (static_cast<double>(frequency) / 1e9);
}

}  // namespace

std::string_view GoGeneration::TextOf(std::uint64_t text) const {
  const auto found = texts.find(text);
  return found == texts.end() ? std::string_view() : found->second;
}

std::string_view GoGeneration::RootOf(std::uint64_t stack) const {
  const auto found = roots.find(stack);
  return found == roots.end() ? std::string_view() : TextOf(found->second);
}

GoGenerations::GoGenerations(std::string_view bytes)
    : bytes_(bytes.substr(kGoHeaderBytes), kGoHeaderBytes, kGoTraceSubject) {
}

std::optional<GoGenerations::Head> GoGenerations::ReadHead() {
  if (ahead_) {
    return std::exchange(ahead_, std::nullopt);
  }
  while (!bytes_.IsEmpty()) {
    const unsigned char kind = bytes_.Byte();
    if (kind == kEndOfGeneration) {
      continue;
    }
    if (kind != kEventBatch && kind != kExperimentalBatch) {
      bytes_.Refuse(fmt::format("a batch begins with {}", kind));
    }
    if (kind == kExperimentalBatch) {
      bytes_.Byte();
    }
    const std::uint64_t generation = bytes_.Number();
    const std::uint64_t thread = bytes_.Number();
    const std::uint64_t ticks = bytes_.Number();
    return Head{.generation = generation,
                .thread = thread,
                .ticks = ticks,
                .bytes = bytes_.Part(),
                .is_experiment = kind == kExperimentalBatch};
  }
  return std::nullopt;
}

std::optional<GoGeneration> GoGenerations::Next() {
  auto head = ReadHead();
  if (!head) {
    return std::nullopt;
  }
  const std::uint64_t number = head->generation;
  GoGeneration generation{.number = number};
  for (; head; head = ReadHead()) {
    if (head->generation == number + 1) {
      ahead_ = std::move(head);
      break;
    }
    if (head->generation != number) {
      bytes_.Refuse("its generations are out of order");
    }
    if (head->is_experiment || head->bytes.IsEmpty()) {
      continue;
    }
    switch (const unsigned char first = ByteReader(head->bytes).Byte()) {
      case kStacks:
        ReadStacks(head->bytes, generation);
        break;
      case kStrings:
        ReadStrings(head->bytes, generation);
        break;
      case kFrequency:
      case kSync:
        ReadFrequency(head->bytes, first == kSync, generation);
        break;
      case kCpuSamples:
        break;
      default:
        generation.batches[head->thread].push_back({.ticks = head->ticks, .events = head->bytes});
        break;
    }
  }
  if (generation.ns_per_tick == 0) {
    bytes_.Refuse(
        "a generation has no frequency of its clock: the program ended before it called "
        "trace.Stop()");
  }
  return generation;
}

void GoCursor::Refuse(const std::string& why) const {
  bytes_->Refuse(why);
}

// Limits times: no program runs for a century.
std::int64_t GoCursor::Ns(std::uint64_t ticks) const {
  constexpr double kMostNs = 4e18;
  const double ns = static_cast<double>(ticks) * ns_per_tick_;
  if (!(ns < kMostNs)) {
    Refuse("a time is more than a century");
  }
  return static_cast<std::int64_t>(ns);
}

bool GoCursor::Advance() {
  while (!bytes_ || bytes_->IsEmpty()) {
    if (next_ == batches_->size()) {
      return false;
    }
    const GoBatch& batch = (*batches_)[next_++];
    bytes_ = batch.events;
    event_.ns = Ns(batch.ticks);
  }
  const unsigned kind = bytes_->Byte();
  const int arguments = ArgumentsOf(kind);
  if (arguments < 0) {
    Refuse(fmt::format("there is no event {}", kind));
  }
  event_.kind = static_cast<GoEventKind>(kind);
  event_.ns = std::min(event_.ns, std::int64_t{4'000'000'000'000'000'000}) + Ns(bytes_->Number());
  event_.args = {};
  for (int i = 0; i < arguments; ++i) {
    event_.args[static_cast<std::size_t>(i)] = bytes_->Number();
  }
  return true;
}

}  // namespace schedbench::graph
