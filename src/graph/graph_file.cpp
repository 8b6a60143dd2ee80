#include "graph/graph_file.hpp"

#include "graph/byte_reader.hpp"
#include "graph/check.hpp"

#include <fmt/core.h>

#include <limits>
#include <utility>

namespace schedbench::graph {

namespace {

constexpr std::string_view kMagic = "SBGRAPH\n";
constexpr std::string_view kSubject = "damaged";  // the start of messages
constexpr std::size_t kChecksumBytes = 8;

// FNV-1a.
std::uint64_t Checksum(std::string_view bytes) {
  std::uint64_t hash = 14695981039346656037U;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 1099511628211U;
  }
  return hash;
}

class Writer {
 public:
  // Writes seven bits per byte, the lowest first; the top bit says that more follow (LEB128).
  void Number(std::uint64_t number) {
    while (number >= 0x80U) {
      bytes_.push_back(static_cast<char>(number | 0x80U));
      number >>= 7U;
    }
    bytes_.push_back(static_cast<char>(number));
  }

  // Writes 0, -1, 1, -2, ... as 0, 1, 2, 3, ... (zigzag).
  void Signed(std::int32_t number) {
    const auto bits = static_cast<std::uint32_t>(number);
    Number((bits << 1U) ^ (number < 0 ? ~std::uint32_t{0} : 0U));
  }

  void Text(std::string_view text) {
    Number(text.size());
    bytes_ += text;
  }

  void Raw(std::string_view bytes) {
    bytes_ += bytes;
  }

  std::string Take() && {
    std::uint64_t sum = Checksum(bytes_);
    for (std::size_t i = 0; i < kChecksumBytes; ++i, sum >>= 8U) {
      bytes_.push_back(static_cast<char>(sum & 0xFFU));
    }
    return std::move(bytes_);
  }

 private:
  std::string bytes_;
};

class Reader : public ByteReader {
 public:
  using ByteReader::ByteReader;

  std::uint32_t Number32() {
    const std::uint64_t number = Number();
    if (number > std::numeric_limits<std::uint32_t>::max()) {
      Refuse(fmt::format("the number {} is larger than 32 bits", number));
    }
    return static_cast<std::uint32_t>(number);
  }

  std::int32_t Signed() {
    const std::uint32_t bits = Number32();
    return static_cast<std::int32_t>((bits >> 1U) ^ (~(bits & 1U) + 1U));
  }
};

bool HasTarget(StepKind kind) {
  return kind == StepKind::kSpawn || kind == StepKind::kWake || kind == StepKind::kWait;
}

// Writes the kind, then the members of this kind.
void Write(Writer& writer, const Step& step) {
  writer.Number(static_cast<std::uint64_t>(step.kind));
  if (HasTarget(step.kind)) {
    writer.Number(step.target);
    writer.Number(step.detail);
  }
  if (step.kind == StepKind::kWait) {
    writer.Number(step.object);
  }
  if (step.kind == StepKind::kRun || step.kind == StepKind::kWait) {
    writer.Number(step.ns);
  }
}

Step ReadStep(Reader& reader) {
  Step step;
  const std::uint64_t kind = reader.Number();
  if (kind >= kStepKinds) {
    reader.Refuse(fmt::format("there is no kind of step {}", kind));
  }
  step.kind = static_cast<StepKind>(kind);
  if (HasTarget(step.kind)) {
    step.target = reader.Number32();
    const std::uint64_t detail = reader.Number();
    if (detail > std::numeric_limits<std::uint8_t>::max()) {
      reader.Refuse(fmt::format("there is no detail {}", detail));
    }
    step.detail = static_cast<std::uint8_t>(detail);
  }
  if (step.kind == StepKind::kWait) {
    step.object = reader.Number32();
  }
  if (step.kind == StepKind::kRun || step.kind == StepKind::kWait) {
    step.ns = reader.Number();
  }
  return step;
}

void ReadTask(Reader& reader, TaskGraph& graph) {
  Task task{.first_step = graph.steps.size(), .step_count = 0};
  task.label = reader.Number32();
  const std::uint64_t flags = reader.Number();
  if (flags > 1) {
    reader.Refuse(fmt::format("there are no flags {}", flags));
  }
  task.is_plain = flags == 1;
  task.step_count = reader.Count();
  for (std::size_t step = 0; step < task.step_count; ++step) {
    graph.steps.push_back(ReadStep(reader));
  }
  graph.tasks.push_back(task);
}

}  // namespace

bool IsGraphFile(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

std::string Encode(const TaskGraph& graph) {
  Writer writer;
  writer.Raw(kMagic);
  writer.Number(kFileVersion);
  writer.Number(graph.facts.size());
  for (const auto& [name, value] : graph.facts) {
    writer.Text(name);
    writer.Text(value);
  }
  writer.Number(graph.makespan_ns);
  writer.Number(graph.workers);
  writer.Number(graph.lost_events);
  writer.Number(graph.overhead ? 1 : 0);
  if (graph.overhead) {
    for (const auto& row : *graph.overhead) {
      for (const std::int32_t ns : row) {
        writer.Signed(ns);
      }
    }
  }
  writer.Number(graph.labels.size());
  for (const std::string& label : graph.labels) {
    writer.Text(label);
  }
  writer.Number(graph.waits);
  writer.Number(graph.tasks.size());
  for (std::size_t task = 0; task < graph.tasks.size(); ++task) {
    writer.Number(graph.tasks[task].label);
    writer.Number(graph.tasks[task].is_plain ? 1 : 0);
    writer.Number(graph.tasks[task].step_count);
    for (const Step& step : graph.StepsOf(task)) {
      Write(writer, step);
    }
  }
  return std::move(writer).Take();
}

TaskGraph Decode(std::string_view bytes) {
  if (!IsGraphFile(bytes)) {
    throw FormatError(
        "this is not a task graph of schedbench record    schedbench record --import makes one of "
        "a "
        "trace");
  }
  Reader version(bytes.substr(kMagic.size()), kMagic.size(), kSubject);
  if (const std::uint64_t number = version.Number(); number != kFileVersion) {
    throw FormatError(fmt::format(
        "the task graph has version {}, and this program reads version {}", number, kFileVersion));
  }
  if (bytes.size() < kMagic.size() + kChecksumBytes) {
    throw FormatError("the task graph ends in the middle");
  }
  const std::string_view content = bytes.substr(0, bytes.size() - kChecksumBytes);
  std::uint64_t sum = 0;
  for (std::size_t i = kChecksumBytes; i-- > 0;) {
    sum = (sum << 8U) | static_cast<unsigned char>(bytes[content.size() + i]);
  }
  if (sum != Checksum(content)) {
    throw FormatError("the task graph is truncated or damaged: its checksum is wrong");
  }
  Reader reader(content.substr(kMagic.size()), kMagic.size(), kSubject);
  reader.Number();
  TaskGraph graph;
  graph.tasks.clear();
  graph.labels.clear();
  for (std::size_t left = reader.Count(); left > 0; --left) {
    const std::string_view name = reader.Text();
    graph.facts.emplace_back(name, reader.Text());
  }
  graph.makespan_ns = reader.Number();
  graph.workers = reader.Number32();
  graph.lost_events = reader.Number();
  if (reader.Number() != 0) {
    for (auto& row : graph.overhead.emplace()) {
      for (std::int32_t& ns : row) {
        ns = reader.Signed();
      }
    }
  }
  for (std::size_t left = reader.Count(); left > 0; --left) {
    graph.labels.emplace_back(reader.Text());
  }
  graph.waits = reader.Number32();
  if (graph.waits > content.size()) {
    reader.Refuse(fmt::format("it says that it has {} waits, more than it has bytes", graph.waits));
  }
  for (std::size_t left = reader.Count(); left > 0; --left) {
    ReadTask(reader, graph);
  }
  if (graph.tasks.empty() || graph.labels.empty()) {
    reader.Refuse("it has no task or no label");
  }
  if (!reader.IsEmpty()) {
    reader.Refuse("something follows after its end");
  }
  if (const std::string wrong = Check(graph); !wrong.empty()) {
    throw FormatError("the task graph is damaged: " + wrong);
  }
  return graph;
}

}  // namespace schedbench::graph
