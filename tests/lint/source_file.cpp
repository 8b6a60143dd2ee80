#include "tests/lint/source_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <utility>

namespace schedbench::lint {

namespace {

bool IsIdentifierChar(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Walks over the text once, character by character, and hands each to the list that it belongs to.
class Splitter {
 public:
  Splitter(std::string_view path, std::string_view text)
      : text_(text) {
    file_.path = path;
  }

  SourceFile Split() && {
    BeginLine();
    while (at_ < text_.size()) {
      Step();
    }
    if (text_.ends_with('\n')) {
      file_.lines.pop_back();
      file_.code.pop_back();
      file_.comments.pop_back();
    }
    return std::move(file_);
  }

 private:
  void Step() {
    if (StartsWith("//")) {
      at_ += 2;
      TakeUntil("\n", file_.comments);
    } else if (StartsWith("/*")) {
      at_ += 2;
      TakeUntil("*/", file_.comments);
      at_ = std::min(at_ + 2, text_.size());
    } else if (StartsWith("R\"") && !FollowsIdentifier()) {
      SkipRawString();
    } else if (text_[at_] == '"' || (text_[at_] == '\'' && !FollowsIdentifier())) {
      SkipLiteral();
    } else {
      Take(file_.code);
    }
  }

  // Raw strings keep nothing but the newlines.
  void SkipRawString() {
    const std::size_t open = text_.find('(', at_);
    if (open == std::string_view::npos) {
      Take(file_.code);
      return;
    }
    const std::string close = fmt::format("){}\"", text_.substr(at_ + 2, open - at_ - 2));
    std::vector<std::string> nowhere(1);
    file_.code.back() += "\"\"";
    TakeUntil(close, nowhere);
    at_ = std::min(at_ + close.size(), text_.size());
  }

  void SkipLiteral() {
    const char quote = text_[at_];
    Take(file_.code);
    while (at_ < text_.size() && text_[at_] != quote && text_[at_] != '\n') {
      at_ += text_[at_] == '\\' && at_ + 1 < text_.size() && text_[at_ + 1] != '\n' ? 2 : 1;
    }
    if (at_ < text_.size() && text_[at_] == quote) {
      Take(file_.code);
    }
  }

  void TakeUntil(std::string_view end, std::vector<std::string>& list) {
    while (at_ < text_.size() && !StartsWith(end)) {
      Take(list);
    }
  }

  // A newline begins a line of all lists, wherever it stands.
  void Take(std::vector<std::string>& list) {
    if (text_[at_] == '\n') {
      BeginLine();
    } else {
      list.back() += text_[at_];
    }
    ++at_;
  }

  void BeginLine() {
    const std::size_t start = file_.lines.empty() ? 0 : at_ + 1;
    file_.lines.emplace_back(text_.substr(start, text_.find('\n', start) - start));
    file_.code.emplace_back();
    file_.comments.emplace_back();
  }

  bool StartsWith(std::string_view what) const {
    return text_.substr(at_).starts_with(what);
  }

  // 1'000 and u8R"()" aside, a quote or an R after an identifier's character opens nothing.
  bool FollowsIdentifier() const {
    return at_ > 0 && IsIdentifierChar(text_[at_ - 1]);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  SourceFile file_;
};

bool HasWordWhere(std::string_view text, std::string_view word, bool must_end) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    const bool starts = at == 0 || !IsIdentifierChar(text[at - 1]);
    const bool ends = end == text.size() || !IsIdentifierChar(text[end]);
    if (starts && (ends || !must_end)) {
      return true;
    }
  }
  return false;
}

}  // namespace

SourceFile Parse(std::string_view path, std::string_view text) {
  return Splitter(path, text).Split();
}

bool HasWord(std::string_view text, std::string_view word) {
  return HasWordWhere(text, word, /*must_end=*/true);
}

bool HasWordThatStarts(std::string_view text, std::string_view prefix) {
  return HasWordWhere(text, prefix, /*must_end=*/false);
}

bool IsProductCode(std::string_view path) {
  return (path.ends_with(".cpp") || path.ends_with(".hpp")) &&
         (path.starts_with("src/") || path.starts_with("schedulers/") ||
          path.starts_with("workloads/"));
}

bool IsBlank(std::string_view text) {
  return TrimLeft(text).empty();
}

std::string_view TrimLeft(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t\r"), text.size()));
}

}  // namespace schedbench::lint
