#include "profile/sampling/code_name.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace schedbench::profile {

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kDecltype = "decltype";

// Operators with '<', '>' or parentheses that open or close nothing. The longer ones come first.
constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kOperators = {
    {{"()", "_call"},
     {"->*", "_arrow_star"},
     {"->", "_arrow"},
     {"<=>", "<=>"},
     {"<<=", "<<="},
     {">>=", ">>="},
     {"<<", "<<"},
     {">>", ">>"},
     {"<=", "<="},
     {">=", ">="},
     {"<", "<"},
     {">", ">"}}};

constexpr std::array<std::string_view, 5> kQualifiers = {" const", " volatile", " noexcept", " &&",
                                                         " &"};

bool IsWord(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$';
}

// Reads a name from left to right. `rest_` is the unread part.
class NameReader {
 public:
  explicit NameReader(std::string_view name)
      : rest_(name) {
  }

  std::string Read() {
    while (!rest_.empty()) {
      if (IsAt(kOperator)) {
        Operator();
      } else if (IsAt(kDecltype)) {
        Decltype();
      } else if (Takes(kAnonymous)) {
        out_ += "{anonymous}";
      } else if (rest_.front() == '(') {
        Parameters();
      } else if (rest_.front() == '<') {
        Arguments(out_);
      } else if (rest_.front() == '{') {
        Braces(out_);
      } else if (rest_.front() == ' ') {
        Blank();
      } else {
        Copy(out_);
      }
    }
    return std::move(out_);
  }

 private:
  bool Takes(std::string_view text) {
    if (!rest_.starts_with(text)) {
      return false;
    }
    rest_.remove_prefix(text.size());
    return true;
  }

  void Copy(std::string& out) {
    if (Takes("->")) {
      out += "=>";
      return;
    }
    const char c = rest_.front();
    out += c == '(' ? '[' : c == ')' ? ']' : c;
    rest_.remove_prefix(1);
  }

  bool IsAt(std::string_view word) const {
    const bool begins = out_.empty() || !IsWord(out_.back());
    const bool ends = rest_.size() <= word.size() || !IsWord(rest_[word.size()]);
    return begins && ends && rest_.starts_with(word);
  }

  bool IsInLambda() const {
    if (!out_.ends_with("}::")) {
      return false;
    }
    const std::size_t brace = out_.rfind('{');
    return brace != std::string::npos &&
           std::string_view(out_).substr(brace).starts_with("{lambda");
  }

  void Operator() {
    rest_.remove_prefix(kOperator.size());
    if (IsInLambda() && Takes("()")) {
      out_.resize(out_.size() - 2);  // the lambda's own function adds nothing to the lambda
      if (rest_.starts_with('<')) {
        std::string dropped;
        Arguments(dropped);
      }
      return;
    }
    out_ += kOperator;
    for (const auto& [symbol, text] : kOperators) {
      if (Takes(symbol)) {
        out_ += text;
        return;
      }
    }
    // The names of conversions, new, delete and literals have blanks.
    keeps_blanks_ = rest_.starts_with(' ') || rest_.starts_with('"');
  }

  // Skips a return type: "decltype (f(1)) ", "decltype(auto) ".
  void Decltype() {
    rest_.remove_prefix(kDecltype.size());
    Takes(" ");
    if (rest_.starts_with('(')) {
      SkipParentheses();
    }
  }

  // Reads template arguments, from '<' to its '>'.
  void Arguments(std::string& out) {
    int depth = 0;
    while (!rest_.empty()) {
      if (Takes(kAnonymous)) {
        out += "{anonymous}";
        continue;
      }
      if (rest_.front() == '{') {
        Braces(out);
        continue;
      }
      depth += rest_.front() == '<' ? 1 : rest_.front() == '>' ? -1 : 0;
      Copy(out);
      if (depth == 0) {
        return;
      }
    }
  }

  // Reads "{lambda(int)#1}" without its parameters.
  void Braces(std::string& out) {
    int depth = 0;
    while (!rest_.empty()) {
      if (rest_.front() == '(') {
        SkipParentheses();
        continue;
      }
      depth += rest_.front() == '{' ? 1 : rest_.front() == '}' ? -1 : 0;
      Copy(out);
      if (depth == 0) {
        return;
      }
    }
  }

  void SkipParentheses() {
    int depth = 0;
    do {
      depth += rest_.front() == '(' ? 1 : rest_.front() == ')' ? -1 : 0;
      rest_.remove_prefix(1);
    } while (depth > 0 && !rest_.empty());
  }

  void Parameters() {
    SkipParentheses();
    keeps_blanks_ = false;
    for (const std::string_view qualifier : kQualifiers) {
      Takes(qualifier);
    }
    if (rest_.starts_with(' ')) {
      rest_ = "";  // "[clone .cold]"
    }
  }

  void Blank() {
    if (rest_.starts_with(" [clone ")) {
      rest_ = "";
    } else if (keeps_blanks_ || rest_.starts_with(" <")) {  // "operator<< <char>"
      Copy(out_);
    } else {
      rest_.remove_prefix(1);
      out_.clear();  // it was the return type, or "virtual thunk to"
    }
  }

  std::string_view rest_;
  std::string out_;
  bool keeps_blanks_ = false;
};

constexpr std::array<std::string_view, 3> kWrappers = {
    "std::", "__gnu_cxx::", "schedbench::Atomic"};

void EraseAll(std::string& text, std::string_view part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
}

// Returns where the template arguments from the '<' at `begin` end; npos if they do not.
std::size_t EndOfArguments(std::string_view name, std::size_t begin) {
  int depth = 0;
  for (std::size_t i = begin; i < name.size(); ++i) {
    const bool is_arrow = name[i] == '>' && name[i - 1] == '=';
    depth += name[i] == '<' ? 1 : name[i] == '>' && !is_arrow ? -1 : 0;
    if (depth == 0) {
      return i + 1;
    }
  }
  return std::string_view::npos;
}

// Returns the length of the operator's symbol at the start of `text`, if it has '<' or '>'.
std::size_t SymbolLength(std::string_view text) {
  for (const auto& [symbol, replaced] : kOperators) {
    if (text.starts_with(symbol)) {
      return symbol.size();
    }
  }
  return 0;
}

}  // namespace

std::string WithoutArguments(std::string_view name) {
  std::string result;
  for (std::size_t i = 0; i < name.size();) {
    if (name.substr(i).starts_with(kOperator) && (i == 0 || !IsWord(name[i - 1]))) {
      const std::size_t length = kOperator.size();
      const std::size_t end = i + length + SymbolLength(name.substr(i + length));
      result += name.substr(i, end - i);
      i = end + (name.substr(end).starts_with(" <") ? 1 : 0);
    } else if (name[i] == '<') {
      i = i == 0 ? std::string_view::npos : EndOfArguments(name, i);
      if (i == std::string_view::npos) {
        return std::string(name);
      }
    } else {
      result += name[i++];
    }
  }
  return result;
}

bool IsWrapper(std::string_view name) {
  return std::ranges::any_of(
      kWrappers, [name](std::string_view wrapper) { return name.starts_with(wrapper); });
}

std::string FrameLabel(std::string_view name) {
  std::string label = WithoutArguments(name);
  for (const std::string_view noise : {"schedbench::", "{anonymous}::", "[abi:cxx11]"}) {
    EraseAll(label, noise);
  }
  return label.empty() ? std::string(name) : label;
}

std::string ShortName(std::string_view demangled) {
  std::string name = NameReader(demangled).Read();
  if (!name.empty()) {
    return name;
  }
  // "void (*f())(int)" consists of parentheses.
  for (const char c : demangled) {
    name += c == '(' ? '[' : c == ')' ? ']' : c;
  }
  return name;
}

}  // namespace schedbench::profile
