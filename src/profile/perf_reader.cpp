#include "profile/perf_reader.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "profile/code_name.hpp"
#include "profile/frame_text.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <vector>

namespace schedbench::profile {

namespace {

bool IsFrame(std::string_view line) {
  return line.starts_with('\t') || line.starts_with("    ");
}

bool IsComment(std::string_view line) {
  return line.starts_with('#');
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r"), text.size());
  return text.substr(begin, text.find_last_not_of(" \t\r") + 1 - begin);
}

std::vector<std::string_view> Words(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = Trimmed(line)).empty()) {
    const std::size_t end = std::min(line.find_first_of(" \t"), line.size());
    words.push_back(line.substr(0, end));
    line.remove_prefix(end);
  }
  return words;
}

std::optional<std::uint64_t> WholeNumber(std::string_view text) {
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

// "COMMAND 12/34 [000] 1.000001: 1001001 task-clock: "
struct Event {
  std::string command;
  std::string name;
  std::uint64_t weight = 1;
  bool has_period = false;
};

std::optional<Event> ParseEvent(std::string_view line) {
  const std::vector<std::string_view> words = Words(line);
  // The time is the first word that is a number with a colon after it; before it are the command and numbers.
  std::size_t time = 0;
  while (time < words.size() &&
         !(words[time].ends_with(':') &&
           words[time].find_first_not_of("0123456789.:") == std::string_view::npos)) {
    ++time;
  }
  if (time < 2 || time + 1 >= words.size()) {
    return std::nullopt;
  }
  Event event{.command = std::string(words[0]), .name = "", .weight = 1, .has_period = false};
  std::size_t next = time + 1;
  if (const auto period = WholeNumber(words[next]); period && next + 1 < words.size()) {
    event.weight = *period;
    event.has_period = true;
    ++next;
  }
  event.name = words[next];
  return event;
}

// None where the text begins with anything else.
std::optional<Event> FirstEvent(std::string_view text) {
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    if (!IsComment(line) && !Trimmed(line).empty()) {
      return IsFrame(line) ? std::nullopt : ParseEvent(line);
    }
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return std::nullopt;
}

// "55ad67444a80 Leaf+0x20 (/bin/fib)": what is between the address and the module.
std::string FrameName(std::string_view line) {
  line = Trimmed(line);
  line.remove_prefix(std::min(line.find_first_of(" \t"), line.size()));
  line = Trimmed(line);
  if (const std::size_t module = line.rfind(" ("); module != std::string_view::npos) {
    line = line.substr(0, module);
  }
  if (const std::size_t offset = line.rfind("+0x"); offset != std::string_view::npos) {
    line = line.substr(0, offset);
  }
  return SafeName(ShortName(line));
}

}  // namespace

bool IsPerfScript(std::string_view text) {
  return FirstEvent(text).has_value();
}

bool HasPeriods(std::string_view perf_script) {
  const auto event = FirstEvent(perf_script);
  return event && event->has_period;
}

FoldedStacks FoldPerfScript(std::string_view text, std::string_view file) {
  FoldedStacks stacks;
  std::optional<Event> event;
  std::string first_event;
  std::vector<std::string> leaf_first;
  const auto end_of_sample = [&] {
    if (event && event->name == first_event) {
      std::string stack = SafeName(event->command);
      for (auto frame = leaf_first.rbegin(); frame != leaf_first.rend(); ++frame) {
        stack += ";" + *frame;
      }
      stacks[stack] += event->weight;
    }
    event.reset();
    leaf_first.clear();
  };
  std::size_t number = 0;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    ++number;
    if (IsComment(line)) {
      continue;
    }
    if (Trimmed(line).empty()) {
      end_of_sample();
    } else if (!IsFrame(line)) {
      end_of_sample();
      event = ParseEvent(line);
      if (!event) {
        throw config::InputError(
            fmt::format("{}:{}: {}: neither a sample of perf script nor a frame", file, number,
                        config::Quoted(line)));
      }
      first_event = first_event.empty() ? event->name : first_event;
    } else if (event) {
      leaf_first.push_back(FrameName(line));
    } else {
      throw config::InputError(
          fmt::format("{}:{}: {}: a frame without a sample", file, number, config::Quoted(line)));
    }
  }
  end_of_sample();
  return stacks;
}

}  // namespace schedbench::profile
