#include "harness/agent/place.hpp"

#include "platform/files/file_checksum.hpp"
#include "platform/machine/executable_id.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <chrono>

namespace schedbench::harness {

namespace {

// The first start reads the program from the disk, possibly through a network.
constexpr std::chrono::seconds kHelloLimit{30};

// Quotes the text as a word of a POSIX shell.
std::string Word(const std::string& text) {
  std::string word = "'";
  for (const char character : text) {
    word += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return word + "'";
}

// ssh may start a process that other connections use, too (ControlPersist).
platform::Reach ReachAt(const PlacePtr& place) {
  return place == nullptr ? platform::Reach::kDescendants : platform::Reach::kGroup;
}

// Returns `command` for the machine: kOwnProgram becomes the path of the tool there.
std::vector<std::string> CommandAt(const PlacePtr& place, const std::vector<std::string>& command) {
  if (place == nullptr) {
    return command;
  }
  std::vector<std::string> there = command;
  if (there.front() == kOwnProgram) {
    there.front() = place->tool;
  }
  std::vector<std::string> words = place->prefix;
  if (place->kind == Place::Kind::kNode) {
    words.insert(words.end(), there.begin(), there.end());
    return words;
  }
  // ssh joins its words by spaces, and the login shell parses them again.
  std::string line = "exec";
  for (const std::string& word : there) {
    line += " " + Word(word);
  }
  words.push_back(std::move(line));
  return words;
}

}  // namespace

std::string Place::Text() const {
  return fmt::format("{} {}", kind == Kind::kHost ? "host" : "node", name);
}

std::unique_ptr<AgentClient> StartAt(const PlacePtr& place, const std::vector<std::string>& command,
                                     const std::function<bool()>& cancelled) {
  if (place == nullptr) {
    return std::make_unique<AgentClient>(command, cancelled);
  }
  std::vector<std::string> guarded{kOwnProgram, "agent", "--guard", "--"};
  guarded.insert(guarded.end(), command.begin(), command.end());
  if (command.front() == kOwnProgram) {
    guarded[4] = place->tool;
  }
  // The connection to the machine takes some time as well; the time is arbitrary.
  return std::make_unique<AgentClient>(CommandAt(place, guarded), cancelled,
                                       kGuardPatience + std::chrono::seconds(5), ReachAt(place));
}

HelloReply Greet(const PlacePtr& place, const std::vector<std::string>& command,
                 const std::function<bool()>& cancelled) {
  // This agent has no guard, because a former version does not know the flag.
  AgentClient client(CommandAt(place, command), cancelled, AgentClient::kPatienceWithLost,
                     ReachAt(place));
  HelloReply hello = client.Ask<HelloReply>(HelloRequest{}, kHelloLimit);
  client.Finish(kHelloLimit);
  return hello;
}

Loss ExplainLoss(const PlacePtr& place, const AgentLost& lost,
                 const std::function<bool()>& cancelled) {
  if (place == nullptr || lost.IsReported()) {
    return {.text = lost.what()};
  }
  const auto no_answer = [&place](const char* why) -> Loss {
    return {.of = Loss::Of::kPlace,
            .text = fmt::format("{} does not answer: {}", place->Text(), why)};
  };
  try {
    Greet(place, {kOwnProgram, "agent"}, cancelled);
  } catch (const AgentLost& trouble) {
    return no_answer(trouble.what());
  } catch (const AgentRefused& trouble) {
    return no_answer(trouble.what());
  }
  return {.of = Loss::Of::kConnection,
          .text = fmt::format("the connection to {} was lost: {}", place->Text(), lost.what())};
}

std::uint32_t FewestCpus(const std::vector<PlacePtr>& places, std::uint32_t here) {
  if (places.empty()) {
    return here;
  }
  const auto least = std::ranges::min_element(
      places, {}, [](const PlacePtr& place) { return place->machine.cpus; });
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((*least)->machine.cpus, 1));
}

std::string BuildOf(const registry::BuildInfo& build) {
  return fmt::format("{} {}, sanitizer {}, allocator {}, switch {}, flags {}{}", build.compiler,
                     build.build_type, build.sanitizer, build.allocator, build.context_switch,
                     platform::ChecksumOf(build.flags),
                     build.modified ? ", executable " + platform::ExecutableId() : "");
}

std::string RevisionOf(const registry::BuildInfo& build) {
  return std::string(build.revision) + (build.modified ? " modified" : "");
}

}  // namespace schedbench::harness
