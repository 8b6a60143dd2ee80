#include "stack_readers.hpp"

#include <algorithm>
#include <regex>
#include <stdexcept>

namespace schedbench::profile {

namespace {

const std::regex kFrame(R"(^\s*(\w+)\s*(.+) \((\S*)\))");
const std::regex kOffset(R"(\+0x[\da-f]+$)");

std::vector<std::string> Lines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string Joined(const std::vector<std::string>& stack) {
  std::string text;
  for (const std::string& frame : stack) {
    text += (text.empty() ? "" : ";") + frame;
  }
  return text;
}

// The parts of a frame between "->", each tidied up.
std::vector<std::string> PerlNames(std::string raw, const std::string& module) {
  std::vector<std::string> names;
  while (!raw.empty()) {
    const std::size_t arrow = raw.find("->");
    std::string name = raw.substr(0, arrow);
    raw = arrow == std::string::npos ? "" : raw.substr(arrow + 2);
    if (name == "[unknown]" && module != "[unknown]") {
      name = "[" + module.substr(module.rfind('/') + 1) + "]";
    }
    std::ranges::replace(name, ';', ':');
    name = std::regex_replace(name, std::regex(R"(\((?!anonymous namespace\)).*)"), "");
    std::erase_if(name, [](char c) { return c == '"' || c == '\''; });
    names.push_back(names.empty() ? name : name + "_[i]");
  }
  return names;
}

}  // namespace

std::map<std::string, std::uint64_t> CollapseAsPerl(std::string_view text,
                                                    std::vector<std::string>& warnings) {
  static const std::regex event_regex(R"(^(\S.+?)\s+(\d+)/*(\d+)*\s+)");
  static const std::regex period_regex(R"(:\s*(\d+)*\s+(\S+):\s*$)");
  std::map<std::string, std::uint64_t> stacks;
  std::vector<std::string> stack;
  std::string command;
  std::string first_event;
  std::uint64_t period = 0;
  for (const std::string& line : Lines(text)) {
    std::smatch match;
    if (line.starts_with('#')) {
      continue;
    }
    if (line.empty()) {
      if (!command.empty()) {
        stack.insert(stack.begin(), command);
        stacks[Joined(stack)] += period;
      }
      stack.clear();
      command.clear();
    } else if (std::regex_search(line, match, event_regex)) {
      command = match[1];
      std::ranges::replace(command, ' ', '_');
      period = 1;
      if (std::regex_search(line, match, period_regex)) {
        period = match[1].matched ? std::stoull(match[1]) : 1;
        first_event = first_event.empty() ? match[2].str() : first_event;
        if (match[2] != first_event) {
          command.clear();
        }
      }
    } else if (std::regex_search(line, match, kFrame)) {
      const std::string raw = std::regex_replace(match[2].str(), kOffset, "");
      if (!raw.starts_with('(')) {
        const auto names = PerlNames(raw, match[3]);
        stack.insert(stack.begin(), names.begin(), names.end());
      }
    } else {
      warnings.push_back(line);
    }
  }
  return stacks;
}

std::map<std::string, std::vector<ReadSample>> ReadAsSpeedscope(std::string_view text) {
  static const std::regex event_regex(R"(^(\S.+?)\s+(\d+)(?:/?(\d+))?\s+)");
  static const std::regex time_regex(R"(\s+(\d+\.\d+):\s+)");
  std::map<std::string, std::vector<ReadSample>> threads;
  std::string thread;
  ReadSample sample;
  std::vector<std::string> lines = Lines(text);
  lines.emplace_back();
  for (const std::string& line : lines) {
    std::smatch match;
    if (line.empty()) {
      if (!thread.empty()) {
        std::ranges::reverse(sample.stack);
        auto& samples = threads[thread];
        if (!samples.empty() && samples.back().seconds > sample.seconds) {
          throw std::runtime_error("Timestamps received out of order");
        }
        samples.push_back(sample);
      }
      thread.clear();
      sample = {};
    } else if (thread.empty()) {
      if (std::regex_search(line, match, event_regex)) {
        thread = match[1].str() + " pid: " + match[2].str() + " tid: " + match[3].str();
        if (std::regex_search(line, match, time_regex)) {
          sample.seconds = std::stod(match[1]);
        }
      }
    } else if (std::regex_search(line, match, kFrame)) {
      sample.stack.push_back(std::regex_replace(match[2].str(), kOffset, ""));
    }
  }
  return threads;
}

bool FirefoxKnows(std::string_view text) {
  const std::string first(text.substr(0, text.find('\n')));
  return text.starts_with("# ========\n") ||
         std::regex_search(first, std::regex(R"(^\S.*?\s+(?:\d+/)?\d+\s+(?:\[\d+\]\s+)?[\d.]+:)"));
}

std::map<int, std::vector<ReadSample>> ReadAsFirefox(std::string_view text) {
  static const std::regex start_regex(R"(^(.*)\s+([\d.]+):)");
  static const std::regex thread_regex(R"(^(.*)\s+(?:(\d+)/)?(\d+)\b)");
  std::map<int, std::vector<ReadSample>> threads;
  const std::vector<std::string> lines = Lines(text);
  for (std::size_t i = 0; i < lines.size(); ++i) {
    std::smatch start;
    std::smatch thread;
    if (lines[i].empty() || lines[i].starts_with('#') ||
        !std::regex_search(lines[i], start, start_regex)) {
      continue;
    }
    const std::string before = start[1];
    if (!std::regex_search(before, thread, thread_regex)) {
      continue;
    }
    ReadSample sample{.seconds = std::stod(start[2]), .stack = {}};
    for (++i; i < lines.size() && lines[i].find_first_not_of(" \t") != std::string::npos; ++i) {
      std::smatch frame;
      if (std::regex_search(lines[i], frame, kFrame) && !frame[2].str().starts_with('(')) {
        sample.stack.push_back(std::regex_replace(frame[2].str(), kOffset, "") + " (in " +
                               frame[3].str() + ")");
      }
    }
    std::ranges::reverse(sample.stack);
    if (!sample.stack.empty()) {
      threads[std::stoi(thread[3])].push_back(sample);
    }
  }
  return threads;
}

}  // namespace schedbench::profile
