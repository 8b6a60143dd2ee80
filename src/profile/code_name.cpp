#include "profile/code_name.hpp"

#include <array>
#include <cctype>
#include <cstddef>
#include <utility>

namespace schedbench::profile {

namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)";
constexpr std::string_view kOperator = "operator";
constexpr std::string_view kDecltype = "decltype";

// Which of them have '<', '>' or parentheses that open or close nothing. The longer ones come first.
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

// Goes through a name from left to right. `rest_` is what has not been read.
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
    const std::size_t brace = out_.rfind('{');
    return brace != std::string::npos && out_.ends_with("}::") &&
           std::string_view(out_).substr(brace).starts_with("{lambda");
  }

  void Operator() {
    rest_.remove_prefix(kOperator.size());
    if (IsInLambda() && Takes("()")) {
      out_.resize(out_.size() - 2);  // the lambda's own function says no more than the lambda
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
    // A conversion, new, delete, or a literal: their names have blanks.
    keeps_blanks_ = rest_.starts_with(' ') || rest_.starts_with('"');
  }

  // A type that the function returns: "decltype (f(1)) ", "decltype(auto) ".
  void Decltype() {
    rest_.remove_prefix(kDecltype.size());
    Takes(" ");
    if (rest_.starts_with('(')) {
      SkipParentheses();
    }
  }

  // Template arguments, from '<' to its '>'.
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

  // "{lambda(int)#1}" without its parameters.
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
      out_.clear();  // it was the type that the function returns, or "virtual thunk to"
    }
  }

  std::string_view rest_;
  std::string out_;
  bool keeps_blanks_ = false;
};

}  // namespace

std::string ShortName(std::string_view demangled) {
  std::string name = NameReader(demangled).Read();
  if (!name.empty()) {
    return name;
  }
  // "void (*f())(int)" is all parentheses.
  for (const char c : demangled) {
    name += c == '(' ? '[' : c == ')' ? ']' : c;
  }
  return name;
}

}  // namespace schedbench::profile
