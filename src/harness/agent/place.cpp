#include "harness/agent/place.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>

namespace schedbench::harness {

namespace {

// The first start reads the program from the disk, possibly through a network.
constexpr std::chrono::seconds kHelloLimit{30};

// As a word of a POSIX shell.
std::string Word(const std::string& text) {
  std::string word = "'";
  for (const char character : text) {
    word += character == '\'' ? std::string("'\\''") : std::string(1, character);
  }
  return word + "'";
}

}  // namespace

std::string Place::Text() const {
  return fmt::format("{} {}", kind == Kind::kHost ? "host" : "node", name);
}

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
  // ssh joins its words by spaces, and the login shell parses them again. With exec, a signal that ended the agent would
  // become code 255.
  std::string line = R"(exec sh -c '"$@"; exit $?' sh)";
  for (const std::string& word : there) {
    line += " " + Word(word);
  }
  words.push_back(std::move(line));
  return words;
}

bool IsEndOfConnection(const Place& place, const platform::ProcessEnd& end) {
  if (end.signal != 0) {
    return false;  // this program has ended ssh or srun after a time limit
  }
  // srun: a step that could not be created or launched. Agents never end with these codes.
  constexpr std::array kOfSrun{1, 233};
  return place.kind == Place::Kind::kHost ? end.code == 255
                                          : std::ranges::find(kOfSrun, end.code) != kOfSrun.end();
}

HelloReply Greet(const PlacePtr& place, const std::vector<std::string>& command,
                 const std::function<bool()>& cancelled) {
  AgentClient client(CommandAt(place, command), cancelled);
  HelloReply hello = client.Ask<HelloReply>(HelloRequest{}, kHelloLimit);
  client.Finish(kHelloLimit);
  return hello;
}

std::string TroubleAt(const PlacePtr& place, const std::function<bool()>& cancelled) {
  try {
    Greet(place, {kOwnProgram, "agent"}, cancelled);
    return "";
  } catch (const AgentLost& lost) {
    return lost.what();
  } catch (const AgentRefused& refused) {
    return refused.what();
  }
}

Loss ExplainLoss(const PlacePtr& place, const AgentLost& lost,
                 const std::function<bool()>& cancelled) {
  if (place == nullptr) {
    return {.text = lost.what()};
  }
  if (const std::string trouble = TroubleAt(place, cancelled); !trouble.empty()) {
    return {.of = Loss::Of::kPlace,
            .text = fmt::format("{} does not answer: {}", place->Text(), trouble)};
  }
  if (IsEndOfConnection(*place, lost.End())) {
    return {.of = Loss::Of::kConnection,
            .text = fmt::format("the connection to {} was lost: {}", place->Text(), lost.what())};
  }
  return {.text = lost.what()};
}

std::uint32_t FewestCpus(const std::vector<PlacePtr>& places, std::uint32_t here) {
  if (places.empty()) {
    return here;
  }
  const auto least = std::ranges::min_element(places, {}, [](const PlacePtr& place) {
    return place->machine.cpus;
  });
  return static_cast<std::uint32_t>(std::max<std::uint64_t>((*least)->machine.cpus, 1));
}

std::string RevisionOf(const registry::BuildInfo& build) {
  return std::string(build.revision) + (build.modified ? " modified" : "");
}

}  // namespace schedbench::harness
