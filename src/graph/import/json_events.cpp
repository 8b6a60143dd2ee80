#include "graph/import/json_events.hpp"

#include "config/json_document.hpp"
#include "graph/graph_file.hpp"

#include <fmt/core.h>

#include <algorithm>

namespace schedbench::graph {

namespace {

std::size_t LineOf(std::string_view text, std::size_t at) {
  return 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, at), '\n'));
}

}  // namespace

JsonEvents::JsonEvents(std::string_view text)
    : text_(text.starts_with("\xEF\xBB\xBF") ? text.substr(3) : text) {
  if (Skip(false) && text_[at_] == '{') {
    is_member_ = true;
    ++at_;
    FindArray();
  }
  if (!Skip(false) || text_[at_] != '[') {
    throw FormatError("the JSON text is not a trace: it has no array \"traceEvents\"");
  }
  ++at_;
}

std::string_view JsonEvents::Next() {
  while (!has_ended_ && Skip(true)) {
    event_ = at_;
    const char first = text_[at_];
    if (first == ']') {
      ++at_;
      has_ended_ = true;
      if (!is_member_ && Skip(false)) {
        Refuse("the text continues after the array of events");
      }
      return {};
    }
    const std::string_view value = Value();
    if (value.empty()) {
      ++left_out_;
      break;
    }
    if (first == '{') {
      return value;
    }
    ++left_out_;
  }
  has_ended_ = true;
  return {};
}

std::size_t JsonEvents::Line() const {
  return LineOf(text_, event_);
}

void JsonEvents::Refuse(std::string_view why) const {
  throw FormatError(
      fmt::format("the trace is not JSON text: line {}: {}", LineOf(text_, at_), why));
}

bool JsonEvents::Skip(bool commas) {
  at_ = std::min(text_.find_first_not_of(commas ? " \t\r\n," : " \t\r\n", at_), text_.size());
  return at_ < text_.size();
}

std::string_view JsonEvents::Value() {
  const std::size_t begin = at_;
  std::size_t depth = 0;
  bool is_string = false;
  while (at_ < text_.size()) {
    const char c = text_[at_];
    if (is_string) {
      at_ += c == '\\' ? 1U : 0U;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      ++depth;
    } else if (c == '}' || c == ']') {
      if (depth == 0) {
        break;
      }
      --depth;
    } else if (depth == 0 && (c == ',' || c == ':' || c == ' ' || c == '\n')) {
      break;
    }
    at_ = std::min(at_ + 1, text_.size());
    const bool is_whole = !is_string && depth == 0 && (c == '"' || c == '}' || c == ']');
    if (is_whole) {
      break;
    }
  }
  const std::string_view value = text_.substr(begin, at_ - begin);
  if (config::NestsDeeperThan(value, kDeepestNesting)) {
    at_ = begin;
    Refuse(fmt::format("more than {} nested levels", kDeepestNesting));
  }
  if (value.empty()) {
    Refuse(fmt::format("there is no value before \"{}\"", text_.substr(at_, 1)));
  }
  return is_string || depth > 0 ? std::string_view() : value;
}

// Other members, such as the metadata, may precede the array.
void JsonEvents::FindArray() {
  while (Skip(true) && text_[at_] == '"') {
    const std::string_view key = Value();
    if (key.empty() || !Skip(false) || text_[at_] != ':') {
      Refuse("a key without a value");
    }
    ++at_;
    if (!Skip(false)) {
      Refuse("a key without a value");
    }
    if (key == "\"traceEvents\"") {
      return;
    }
    if (Value().empty()) {
      Refuse("the text ends before \"traceEvents\"");
    }
  }
}

}  // namespace schedbench::graph
