#include "profile/perf_line.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace schedbench::profile {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";

bool HasOnly(std::string_view text, std::string_view characters) {
  return !text.empty() && text.find_first_not_of(characters) == std::string_view::npos;
}

// Accepts "12", "12/34", "-1".
bool IsThread(std::string_view word) {
  const std::size_t slash = word.find('/');
  const auto is_number = [](std::string_view text) {
    return HasOnly(text.substr(text.starts_with('-') ? 1 : 0), kDigits);
  };
  return is_number(word.substr(0, slash)) &&
         (slash == std::string_view::npos || is_number(word.substr(slash + 1)));
}

// Accepts "[003]".
bool IsCpu(std::string_view word) {
  return word.size() > 2 && word.front() == '[' && word.back() == ']' &&
         IsThread(word.substr(1, word.size() - 2));
}

// Accepts "186448.846888:".
bool IsTime(std::string_view word) {
  const std::size_t dot = word.find('.');
  return word.ends_with(':') && dot != std::string_view::npos &&
         HasOnly(word.substr(0, dot), kDigits) &&
         HasOnly(word.substr(dot + 1, word.size() - dot - 2), kDigits);
}

bool IsEventName(std::string_view word) {
  return word.size() > 1 && word.ends_with(':');
}

bool IsAddress(std::string_view word) {
  return HasOnly(word.substr(word.starts_with("0x") ? 2 : 0), kHexDigits);
}

// Accepts long addresses only: a short one may be a symbol, such as "add".
bool IsLongAddress(std::string_view word) {
  constexpr std::size_t kShortest = 5;
  return word.size() >= kShortest && IsAddress(word);
}

// Returns the first `count` words with the blanks between them.
std::string_view Joined(const std::vector<std::string_view>& words, std::size_t count) {
  return count == 0 ? std::string_view()
                    : std::string_view(words[0].begin(), words[count - 1].end());
}

// The words before the time or the event: a command, a thread, a CPU and flags. Any word of a
// command may be a number, so the last number is the thread.
struct Head {
  std::string_view command{};
  bool has_thread = false;
};

Head HeadOf(const std::vector<std::string_view>& words, std::size_t count) {
  constexpr std::size_t kMostFlags = 2;
  for (std::size_t end = count; end > 0 && count - end <= kMostFlags; --end) {
    if (IsCpu(words[end - 1])) {
      const bool has_thread = end > 1 && IsThread(words[end - 2]);
      return {Joined(words, end - (has_thread ? 2 : 1)), true};
    }
    if (IsThread(words[end - 1])) {
      return {Joined(words, end - 1), true};
    }
  }
  return {Joined(words, count), false};
}

// Returns whether the number before an event is its period, not a thread, which perf prints in at
// most 7 columns.
bool IsPeriod(const std::vector<std::string_view>& words, std::size_t at) {
  constexpr std::uint64_t kMostThreads = 4'194'304;  // Linux's limit
  constexpr std::ptrdiff_t kColumnsOfPeriod = 10;
  if (at == 0 || !HasOnly(words[at], kDigits)) {
    return false;
  }
  const std::string_view before = words[at - 1];
  const auto columns = words[at].data() + words[at].size() - (before.data() + before.size() + 1);
  return IsCpu(before) || WholeNumber(words[at]).value_or(kMostThreads) >= kMostThreads ||
         (IsThread(before) && columns >= kColumnsOfPeriod);
}

std::string_view Behind(std::string_view line, std::string_view word) {
  return WithoutBlanks(
      line.substr(static_cast<std::size_t>(word.data() + word.size() - line.data())));
}

void SetPeriod(std::string_view word, PerfEvent& event) {
  event.period = WholeNumber(word);
  event.has_bad_period = !event.period;
}

// Reads the words after the time.
void ReadBehindTime(std::string_view line, const std::vector<std::string_view>& words,
                    std::size_t next, PerfEvent& event) {
  const bool is_last = next + 1 == words.size();
  if (is_last ||
      (next < words.size() && (IsEventName(words[next + 1]) || IsLongAddress(words[next + 1])))) {
    if (HasOnly(words[next], kDigits)) {
      SetPeriod(words[next], event);
      ++next;
    }
  }
  if (next < words.size() && IsEventName(words[next])) {
    event.event = words[next].substr(0, words[next].size() - 1);
    ++next;
  }
  event.rest = Behind(line, words[next - 1]);
}

// Returns the start of the module in `text`, which ends with a parenthesis; npos without one.
std::size_t BeginOfModule(std::string_view text) {
  if (const std::size_t offset = text.rfind("+0x"); offset != std::string_view::npos) {
    const std::size_t end = text.find_first_not_of(kHexDigits, offset + 3);
    if (end != std::string_view::npos && text.substr(end).starts_with(" (")) {
      return end + 1;
    }
  }
  int depth = 0;
  for (std::size_t i = text.size(); i > 0; --i) {
    depth += text[i - 1] == ')' ? 1 : text[i - 1] == '(' ? -1 : 0;
    if (depth == 0) {
      return i == 1 || text[i - 2] == ' ' ? i - 1 : std::string_view::npos;
    }
  }
  const std::size_t last = text.rfind(" (");
  return last == std::string_view::npos ? last : last + 1;
}

}  // namespace

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  while (!(line = WithoutBlanks(line)).empty()) {
    words.push_back(line.substr(0, line.find_first_of(" \t")));
    line.remove_prefix(words.back().size());
  }
  return words;
}

std::optional<PerfEvent> ParsePerfEvent(std::string_view line, bool frame_follows) {
  const std::vector<std::string_view> words = WordsOf(line);
  PerfEvent event;
  const auto record = std::ranges::find_if(
      words, [](std::string_view word) { return word.starts_with("PERF_RECORD_"); });
  if (record != words.end()) {
    event.is_record = true;
    event.event = *record;
    event.rest = Behind(line, *record);
    return event;
  }
  const auto time = static_cast<std::size_t>(std::ranges::find_if(words, IsTime) - words.begin());
  if (time < words.size()) {
    const Head head = HeadOf(words, time);
    event.command = head.command;
    ReadBehindTime(line, words, time + 1, event);
    return head.has_thread || time == 0 || frame_follows ? std::optional(event) : std::nullopt;
  }
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (!IsEventName(words[i])) {
      continue;
    }
    const bool has_period = i > 0 && IsPeriod(words, i - 1);
    const Head head = HeadOf(words, has_period ? i - 1 : i);
    const bool is_last = i + 1 == words.size();
    if (head.has_thread ? i > 0 : is_last && frame_follows) {
      event = PerfEvent();
      event.command = head.command;
      if (has_period) {
        SetPeriod(words[i - 1], event);
      }
      event.event = words[i].substr(0, words[i].size() - 1);
      event.rest = Behind(line, words[i]);
      // A message may also have a number and a colon: "Processed 12 events: ...".
      if (is_last || frame_follows || IsTracepoint(event.event)) {
        return event;
      }
      if (const auto frame = FrameOfEvent(event); frame && !frame->symbol.empty()) {
        return event;
      }
    }
  }
  if (!frame_follows || words.empty()) {
    return std::nullopt;
  }
  event.command = HeadOf(words, words.size()).command;
  return event;
}

std::optional<PerfFrame> ParsePerfFrame(std::string_view line) {
  line = WithoutBlanks(line);
  PerfFrame frame;
  frame.address = line.substr(0, line.find_first_of(" \t"));
  if (!IsAddress(frame.address)) {
    return std::nullopt;
  }
  frame.symbol = WithoutBlanks(line.substr(frame.address.size()));
  const std::size_t close = frame.symbol.rfind(')');
  // A branch stack follows it.
  if (close != std::string_view::npos && frame.symbol.find('/', close) != std::string_view::npos) {
    frame.symbol = frame.symbol.substr(0, close + 1);
  }
  if (frame.symbol.ends_with(')')) {
    if (const std::size_t begin = BeginOfModule(frame.symbol); begin != std::string_view::npos) {
      frame.module = frame.symbol.substr(begin + 1, frame.symbol.size() - begin - 2);
      frame.symbol = WithoutBlanks(frame.symbol.substr(0, begin));
    }
  }
  if (const std::size_t offset = frame.symbol.rfind("+0x");
      offset != std::string_view::npos && HasOnly(frame.symbol.substr(offset + 3), kHexDigits)) {
    frame.symbol = frame.symbol.substr(0, offset);
  }
  return frame;
}

std::optional<PerfFrame> FrameOfEvent(const PerfEvent& event) {
  std::string_view rest = event.rest;
  if (IsTracepoint(event.event)) {
    return std::nullopt;
  }
  constexpr std::size_t kMostFields = 256;  // bytes before the frame; arbitrary, far above
  if (rest.substr(0, kMostFields).find("|OP ") != std::string_view::npos) {  // from perf mem
    rest = WithoutBlanks(rest.substr(rest.rfind('|') + 1));
    while (!rest.empty() && !IsLongAddress(rest.substr(0, rest.find(' ')))) {
      rest = WithoutBlanks(rest.substr(std::min(rest.find(' '), rest.size())));
    }
  }
  // An address of data and a weight may precede the frame.
  const std::vector<std::string_view> words = WordsOf(rest.substr(0, kMostFields));
  for (std::size_t i = 0;
       i + 2 < words.size() && IsLongAddress(words[i + 1]) && words[i + 2].front() != '('; ++i) {
    rest = Behind(rest, words[i]);
  }
  const auto frame = ParsePerfFrame(rest);
  const bool is_named = frame && !(frame->symbol.empty() && frame->module.empty());
  return is_named || (frame && IsLongAddress(frame->address)) ? frame : std::nullopt;
}

bool IsTracepoint(std::string_view event) {
  const std::size_t colon = event.find(':');
  return colon != std::string_view::npos && event.find('/') == std::string_view::npos &&
         !event.starts_with("mem:") && !HasOnly(event.substr(colon + 1), "ukhpPGHSDIWeb");
}

std::string_view UnitOfEvent(std::string_view event) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 10> kUnits = {
      {{"cpu-clock", "ns"},
       {"task-clock", "ns"},
       {"offcpu-time", "ns"},
       {"cycles", "cycles"},
       {"cpu-cycles", "cycles"},
       {"ref-cycles", "cycles"},
       {"page-faults", "faults"},
       {"minor-faults", "faults"},
       {"major-faults", "faults"},
       {"dummy", "events"}}};
  if (IsTracepoint(event)) {
    return "events";
  }
  if (const std::size_t slash = event.find('/'); slash != std::string_view::npos) {
    event = event.substr(slash + 1);
  }
  const std::string_view base = event.substr(0, event.find_first_of(":,/"));
  for (const auto& [name, unit] : kUnits) {
    if (base == name) {
      return unit;
    }
  }
  const bool is_raw = base.starts_with('r') && HasOnly(base.substr(1), kHexDigits);
  return base.empty() || is_raw || base.find('=') != std::string_view::npos ? "events" : base;
}

}  // namespace schedbench::profile
