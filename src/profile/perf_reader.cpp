#include "profile/perf_reader.hpp"

#include "base/text.hpp"
#include "config/input_error.hpp"
#include "profile/foreign_name.hpp"
#include "profile/perf_line.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <ranges>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

namespace schedbench::profile {

namespace {

// Returns the first line of a text, which keeps it.
std::string_view FirstLine(std::string_view text) {
  return TakeLine(text);
}

bool IsIndented(std::string_view line) {
  return line.starts_with('\t') || line.starts_with(' ');
}

// Perf begins frames with a tab or many blanks. Below an event, copied text may have lost them.
std::optional<PerfFrame> FrameOf(std::string_view line, bool in_sample) {
  const bool is_deep = line.starts_with('\t') || line.starts_with("    ");
  if (!is_deep && !in_sample) {
    return std::nullopt;
  }
  const auto frame = ParsePerfFrame(line);
  return frame && (is_deep || !frame->module.empty()) ? frame : std::nullopt;
}

// Returns whether a line without fields is a message of perf or of a tool that it starts, not the
// command of a sample: it exceeds the 15 characters of a command, and has such a word.
bool IsMessage(std::string_view line) {
  constexpr std::size_t kLongestCommand = 15;
  line = WithoutBlanks(line);
  if (line.ends_with(':')) {  // an event may follow the command
    line = WithoutBlanks(line.substr(0, line.find_last_of(" \t")));
  }
  return line.size() > kLongestCommand &&
         std::ranges::any_of(WordsOf(line.substr(0, 1000)), [](std::string_view word) {
           std::string lower(word.substr(0, word.find_last_not_of(":,.!") + 1));
           std::ranges::transform(lower, lower.begin(), [](unsigned char c) {
             return static_cast<char>(std::tolower(c));
           });
           constexpr std::array<std::string_view, 8> kWords = {
               "error", "warning", "failed", "failure", "cannot", "could", "lost", "such"};
           return std::ranges::find(kWords, lower) != kWords.end();
         });
}

// Returns the number of samples that perf has lost, from the record: "lost 45". 0: it prints none.
std::uint64_t LostBy(const PerfEvent& record) {
  for (const std::string_view word : WordsOf(record.rest) | std::views::reverse) {
    if (const auto number = WholeNumber(word.substr(word.starts_with(':') ? 1 : 0))) {
      return *number;
    }
  }
  return 0;
}

class PerfReader {
 public:
  explicit PerfReader(std::string_view file)
      : file_(file) {
  }

  void Line(std::string_view line, std::string_view next) {
    ++number_;
    if (line.starts_with('#')) {
      return;
    }
    if (WithoutBlanks(line).empty()) {
      // After an event the frames are still to come.
      if (has_frames_) {
        EndSample();
      }
      return;
    }
    const auto frame = FrameOf(line, sample_.has_value());
    // The command of a sample without a call graph is indented too, and may resemble an address.
    const bool may_be_event = !frame || !line.starts_with('\t');
    const auto event =
        may_be_event ? ParsePerfEvent(line, !sample_ && FrameOf(next, true) && !IsMessage(line))
                     : std::nullopt;
    if (event && event->is_record) {
      const std::uint64_t lost = event->event.starts_with("PERF_RECORD_LOST") ? LostBy(*event) : 0;
      lost_ += std::min(lost, std::numeric_limits<std::uint64_t>::max() - lost_);
      if (lost == 0) {
        left_out_.Count("perf records", number_);
      }
    } else if (event && !(frame && event->event.empty())) {
      EndSample();
      sample_ = *event;
      sample_line_ = number_;
    } else if (frame) {
      Frame(*frame);
    } else {
      left_out_.Count(sample_ && IsIndented(line) ? "lines below frames, such as source lines"
                      : IsMessage(line)           ? "messages"
                                                  : "bad lines",
                      number_, line);
    }
  }

  StackText Finish() {
    EndSample();
    StackText result{.marks_are_ours = true};
    for (Event& event : events_) {
      if (event.stacks.event.empty() && events_.size() > 1) {
        event.stacks.event = "(no event)";  // next to others it needs a name
      }
      if (!event.has_period) {
        event.stacks.unit = "samples";
      }
      result.events.push_back(std::move(event.stacks));
    }
    if (result.events.empty()) {
      throw config::InputError(fmt::format("{}: the file has no samples", file_));
    }
    result.left_out = left_out_.Texts();
    if (lost_ > 0) {
      result.notes.push_back(fmt::format(
          "{} lost by perf", lost_ == 1 ? "1 sample was" : fmt::format("{} samples were", lost_)));
    }
    return result;
  }

 private:
  struct Event {
    EventStacks stacks;
    bool has_period = false;
  };

  void Frame(const PerfFrame& frame) {
    if (!sample_) {
      sample_ = PerfEvent();  // this line is from perf script -F ip,sym
    }
    has_frames_ = true;
    const std::string_view address = frame.symbol.empty() ? frame.address : "";
    auto [names, is_new] =
        names_.try_emplace(fmt::format("{}\n{}\n{}", frame.symbol, frame.module, address));
    if (is_new) {
      names->second = FrameNames(frame.address, frame.symbol, frame.module);
    }
    leaf_first_.push_back(&names->second);
  }

  void EndSample() {
    if (sample_ && sample_->has_bad_period) {
      left_out_.Count("samples with a period above 64 bits", sample_line_);
    } else if (sample_) {
      AddSample(*sample_);
    }
    sample_.reset();
    has_frames_ = false;
    leaf_first_.clear();
  }

  void AddSample(const PerfEvent& sample) {
    if (!has_frames_) {
      if (const auto frame = FrameOfEvent(sample)) {
        Frame(*frame);
      } else {
        left_out_.Count("samples without a stack, which count for their command", sample_line_);
      }
    }
    std::string stack = sample.command.empty() ? "" : FrameName(sample.command);
    for (const std::vector<std::string>* const names : leaf_first_ | std::views::reverse) {
      for (const std::string& name : *names) {
        stack += (stack.empty() ? "" : ";") + name;
      }
    }
    const auto [place, is_new] =
        event_of_name_.try_emplace(std::string(sample.event), events_.size());
    if (is_new) {
      events_.push_back({.stacks = {.event = std::string(sample.event),
                                    .unit = std::string(UnitOfEvent(sample.event))}});
    }
    Event& event = events_[place->second];
    event.has_period = event.has_period || sample.period.has_value();
    AddWeight(event.stacks.stacks, stack.empty() ? "{none}" : std::move(stack),
              sample.period.value_or(1), file_);
  }

  std::string_view file_;
  std::size_t number_ = 0;
  LeftOut left_out_;
  std::optional<PerfEvent> sample_;
  std::size_t sample_line_ = 0;
  std::uint64_t lost_ = 0;
  bool has_frames_ = false;
  std::vector<const std::vector<std::string>*> leaf_first_;
  // Names by symbol, module and, without a symbol, address.
  std::unordered_map<std::string, std::vector<std::string>> names_;
  std::vector<Event> events_;
  std::unordered_map<std::string, std::size_t> event_of_name_;
};

}  // namespace

bool IsPerfScript(std::string_view text) {
  constexpr int kLines = 1000;  // messages may precede the first sample
  bool may_be_frames = true;    // whether the first line with text was a frame
  for (int i = 0; i < kLines && !text.empty(); ++i) {
    const std::string_view line = TakeLine(text);
    if (line.starts_with('#') || WithoutBlanks(line).empty()) {
      continue;
    }
    const std::string_view next = FirstLine(text);
    if (line.find(';') == std::string_view::npos &&
        (ParsePerfEvent(line, FrameOf(next, false).has_value()) ||
         (may_be_frames && FrameOf(line, false)))) {
      return true;
    }
    may_be_frames = false;
  }
  return false;
}

StackText FoldPerfScript(std::string_view text, std::string_view file) {
  PerfReader reader(file);
  while (!text.empty()) {
    const std::string_view line = TakeLine(text);
    reader.Line(line, FirstLine(text));
  }
  return reader.Finish();
}

}  // namespace schedbench::profile
