// Every public function of the libraries that users program against has a comment that says what it
// does.
#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::lint {

namespace {

constexpr std::array<std::string_view, 5> kPublicFolders{
    "src/executors/", "src/fibers/", "src/futures/", "src/coroutines/", "src/registry/"};

bool IsPublicHeader(std::string_view path) {
  for (const std::string_view folder : kPublicFolders) {
    if (path.starts_with(folder) && path.ends_with(".hpp")) {
      return true;
    }
  }
  return false;
}

// What encloses a line of code.
enum class Scope { kNamespace, kPublic, kHidden };

bool StartsWithOneOf(std::string_view text, std::initializer_list<std::string_view> words) {
  for (const std::string_view word : words) {
    if (text.starts_with(word)) {
      return true;
    }
  }
  return false;
}

// The functions that the language calls for co_await and for the promise of a coroutine: C++ itself
// says what they do.
bool IsOfCoroutines(std::string_view name) {
  constexpr std::array<std::string_view, 9> kNames{
      "await_ready",     "await_suspend",       "await_resume",
      "initial_suspend", "final_suspend",       "get_return_object",
      "return_void",     "unhandled_exception", "return_value"};
  return std::ranges::find(kNames, name) != kNames.end();
}

// Whether `declaration` begins with a copy or move constructor of `name`.
bool IsCopyOrMove(std::string_view declaration, std::string_view name) {
  const std::string type(name);
  return declaration.find(type + "(" + type + "&& ") != std::string_view::npos ||
         declaration.find(type + "(const " + type + "& ") != std::string_view::npos;
}

// What needs no words of its own: what C++ itself says (special members, operators of iteration and
// dereference), what a base class says, and code that is no declaration.
bool NeedsNoComment(std::string_view declaration) {
  return StartsWithOneOf(declaration,
                         {"#", "~", "virtual ~", "friend ", "using ", "return ", "static_assert",
                          "SB_", "explicit operator", "namespace ", "template class", "class ",
                          "struct ", "enum ", "union ", "concept ", "typedef "}) ||
         declaration.find("operator") != std::string_view::npos ||
         declaration.find("= default") != std::string_view::npos ||
         declaration.find("= delete") != std::string_view::npos ||
         declaration.find(" override") != std::string_view::npos ||
         declaration.find(" final") != std::string_view::npos;
}

// The name in front of the first parenthesis, or nothing where the text declares no function.
std::string_view FunctionName(std::string_view declaration) {
  const std::size_t open = declaration.find('(');
  if (open == std::string_view::npos || open == 0) {
    return {};
  }
  if (const std::size_t equals = declaration.find('='); equals < open) {
    return {};
  }
  std::size_t begin = open;
  while (begin > 0 && (std::isalnum(static_cast<unsigned char>(declaration[begin - 1])) != 0 ||
                       declaration[begin - 1] == '_')) {
    --begin;
  }
  return declaration.substr(begin, open - begin);
}

// Whether a sentence says more than a condition or a reference to another function.
bool SaysWhatItDoes(std::string_view comment) {
  while (!IsBlank(comment)) {
    comment = TrimLeft(comment);
    if (!StartsWithOneOf(comment, {"Requires:", "Any thread", "The same", "Async-signal-safe"})) {
      return true;
    }
    const std::size_t end = comment.find(". ");
    comment.remove_prefix(end == std::string_view::npos ? comment.size() : end + 1);
  }
  return false;
}

class Walk {
 public:
  explicit Walk(const SourceFile& file)
      : file_(file) {
  }

  Findings Run() {
    for (std::size_t i = 0; i < file_.lines.size(); ++i) {
      Line(i);
    }
    return findings_;
  }

 private:
  void Line(std::size_t i) {
    const std::string_view code = TrimLeft(file_.code[i]);
    if (IsBlank(code)) {
      if (!IsBlank(file_.comments[i])) {
        // A comment holds for the declarations that follow without a blank line, or another
        // comment.
        if (i == 0 || !IsBlank(file_.code[i - 1])) {
          comment_.clear();
        }
        comment_ += file_.comments[i] + " ";
      } else if (IsBlank(file_.lines[i])) {
        comment_.clear();
      }
      return;
    }
    if (code.starts_with("#")) {
      return;
    }
    if (StartsWithOneOf(code, {"public:", "private:", "protected:"})) {
      if (!scopes_.empty()) {
        scopes_.back() = code.starts_with("public:") ? Scope::kPublic : Scope::kHidden;
      }
      comment_.clear();
      return;
    }
    if (statement_.empty()) {
      first_ = i;
      statement_documented_ = SaysWhatItDoes(comment_) || SaysWhatItDoes(file_.comments[i]);
    }
    for (const char c : code) {
      Character(c);
    }
    statement_ += statement_.empty() ? "" : " ";
  }

  void Character(char c) {
    if (c == '(') {
      ++parentheses_;
    } else if (c == ')') {
      --parentheses_;
    }
    if (parentheses_ > 0 || (c != '{' && c != '}' && c != ';')) {
      statement_ += c;
      return;
    }
    if (c == '{') {
      Open();
    } else if (c == '}') {
      if (!scopes_.empty()) {
        scopes_.pop_back();
      }
      // What follows a body is documented by a comment of its own.
      comment_.clear();
    } else {
      Declaration();
    }
    statement_.clear();
  }

  void Open() {
    const std::string_view text = Declared();
    if (text.starts_with("namespace") || text.starts_with("extern")) {
      scopes_.push_back(text == "namespace" ? Scope::kHidden : Scope::kNamespace);
    } else if (IsVisible() && StartsWithOneOf(text, {"class ", "struct ", "union "}) &&
               text.find('(') == std::string_view::npos) {
      scopes_.push_back(text.starts_with("class ") ? Scope::kHidden : Scope::kPublic);
    } else {
      Declaration();
      scopes_.push_back(Scope::kHidden);
    }
  }

  // Without the head of a template.
  std::string_view Declared() const {
    std::string_view text = TrimLeft(statement_);
    while (text.starts_with("template <")) {
      int depth = 0;
      std::size_t at = 0;
      for (; at < text.size(); ++at) {
        depth += text[at] == '<' ? 1 : text[at] == '>' ? -1 : 0;
        if (text[at] == '>' && depth == 0) {
          break;
        }
      }
      text = TrimLeft(text.substr(std::min(at + 1, text.size())));
    }
    if (text.starts_with("requires(")) {
      int depth = 0;
      std::size_t at = text.find('(');
      do {
        depth += text[at] == '(' ? 1 : text[at] == ')' ? -1 : 0;
        ++at;
      } while (depth > 0 && at < text.size());
      text = TrimLeft(text.substr(at));
    }
    for (const std::string_view mark :
         {"SB_ALWAYS_INLINE ", "SB_NOINLINE ", "static ", "constexpr ", "inline ", "[[nodiscard]] ",
          "virtual ", "explicit "}) {
      if (text.starts_with(mark)) {
        text = TrimLeft(text.substr(mark.size()));
      }
    }
    return text;
  }

  bool IsVisible() const {
    for (const Scope scope : scopes_) {
      if (scope == Scope::kHidden) {
        return false;
      }
    }
    return true;
  }

  void Declaration() {
    const std::string_view text = Declared();
    if (!IsVisible() || statement_documented_ || NeedsNoComment(text)) {
      return;
    }
    if (const std::string_view name = FunctionName(text);
        !name.empty() && !IsOfCoroutines(name) && !IsCopyOrMove(text, name) &&
        text.find("::" + std::string(name)) == std::string_view::npos) {
      findings_.push_back(
          {file_.path, first_ + 1,
           fmt::format("{}() is public and has no comment that says what it does", name)});
    }
  }

  const SourceFile& file_;
  std::vector<Scope> scopes_;
  std::string statement_;
  int parentheses_ = 0;
  std::size_t first_ = 0;
  std::string comment_;
  bool statement_documented_ = false;
  Findings findings_;
};

}  // namespace

Findings CheckDocumentation(const SourceFile& file) {
  return IsPublicHeader(file.path) ? Walk(file).Run() : Findings{};
}

}  // namespace schedbench::lint
