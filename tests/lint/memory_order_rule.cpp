// Every explicit memory order in src/, schedulers/ and workloads/ names its partner or says why it
// needs none.
//
//   site         a line of code with memory_order_x or memory_order::x; using-declarations are none
//   explanation  a comment with "pairs with <site or place>", which explains any order, or with
//                "relaxed: <reason>", which explains relaxed orders only
//   declaration  a line with Atomic<...> and a name; a "relaxed: <reason>" in its comment, which is
//   on the line or directly
//                above it, explains all relaxed orders of that name in the files of its folder
//   rule         going up from the site, itself included, through at most kReach lines and no blank
//   line, there is
//                an explanation or another site that is explained in the same way (a block shares
//                one comment)
#include "tests/lint/rules.hpp"
#include "tests/lint/tree_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::lint {

namespace {

constexpr std::size_t kReach = 4;

struct Site {
  bool relaxed = false;
  bool ordering = false;  // any order but relaxed
};

Site SiteOf(std::string_view code) {
  Site site;
  if (TrimLeft(code).starts_with("using ")) {
    return site;
  }
  for (const std::string_view order : {"acquire", "release", "acq_rel", "seq_cst", "consume"}) {
    site.ordering = site.ordering || HasWord(code, fmt::format("memory_order_{}", order)) ||
                    HasWord(code, fmt::format("memory_order::{}", order));
  }
  site.relaxed = HasWord(code, "memory_order_relaxed") || HasWord(code, "memory_order::relaxed");
  return site;
}

// Returns true iff the comment has the phrase and a word after it, on the same line or the next
// one.
bool Says(const SourceFile& file, std::size_t i, std::string_view phrase) {
  const std::string_view comment = file.comments[i];
  const std::size_t at = comment.find(phrase);
  if (at == std::string_view::npos) {
    return false;
  }
  return !IsBlank(comment.substr(at + phrase.size())) ||
         (i + 1 < file.comments.size() && !IsBlank(file.comments[i + 1]));
}

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// The identifier that ends where `text` does.
std::string_view LastWord(std::string_view text) {
  while (!text.empty() && !IsWordCharacter(text.back())) {
    text.remove_suffix(1);
  }
  std::size_t begin = text.size();
  while (begin > 0 && IsWordCharacter(text[begin - 1])) {
    --begin;
  }
  return text.substr(begin);
}

// The name that a line of code declares as an Atomic; empty if it declares none.
std::string_view DeclaredName(std::string_view code) {
  const std::size_t type = code.find("Atomic<");
  const std::size_t close = code.rfind('>');
  if (type == std::string_view::npos || close == std::string_view::npos || close < type) {
    return {};
  }
  std::string_view rest = TrimLeft(code.substr(close + 1));
  std::size_t length = 0;
  while (length < rest.size() && IsWordCharacter(rest[length])) {
    ++length;
  }
  return rest.substr(0, length);
}

// The variable whose order is at line i: the word before the call that the order is an argument of.
std::string_view AccessedName(const SourceFile& file, std::size_t i) {
  constexpr std::size_t kLines = 3;  // a call has at most so many lines
  for (std::size_t back = 0; back < kLines && back <= i; ++back) {
    const std::string_view code = file.code[i - back];
    for (const std::string_view call :
         {"Load(", "Store(", "Exchange(", "CompareExchange(", "CompareExchangeWeak(", "FetchAdd(",
          "FetchSub(", "FetchOr(", "FetchAnd("}) {
      for (const std::string_view access : {".", "->"}) {
        const std::size_t at = code.find(std::string(access) + std::string(call));
        if (at != std::string_view::npos) {
          std::string_view object = code.substr(0, at);
          if (object.ends_with(']')) {
            object = object.substr(0, object.rfind('['));
          }
          return LastWord(object);
        }
      }
    }
  }
  return {};
}

std::string FolderOf(const SourceFile& file) {
  return file.path.substr(0, file.path.rfind('/') + 1);
}

using Names = std::set<std::string, std::less<>>;

void AddExplainedNames(const SourceFile& file, Names& names) {
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    const std::string_view name = DeclaredName(file.code[i]);
    if (name.empty()) {
      continue;
    }
    bool explained = Says(file, i, "relaxed:");
    for (std::size_t above = i;
         above > 0 && IsBlank(file.code[above - 1]) && !IsBlank(file.comments[above - 1]);
         --above) {
      explained = explained || Says(file, above - 1, "relaxed:");
    }
    if (explained) {
      names.insert(FolderOf(file) + std::string(name));
    }
  }
}

Findings Unexplained(const SourceFile& file, const Names& names) {
  Findings findings;
  if (!IsProductCode(file.path)) {
    return findings;
  }
  // How many lines an explanation still reaches down.
  std::size_t paired = 0;
  std::size_t relaxed = 0;
  for (std::size_t i = 0; i < file.lines.size(); ++i) {
    if (IsBlank(file.lines[i])) {
      paired = 0;
      relaxed = 0;
      continue;
    }
    if (Says(file, i, "pairs with")) {
      paired = kReach + 1;
    }
    if (Says(file, i, "relaxed:")) {
      relaxed = kReach + 1;
    }
    const Site site = SiteOf(file.code[i]);
    if (site.ordering && paired == 0) {
      findings.push_back({file.path, i + 1, "a memory order without a comment \"pairs with ...\""});
    } else if (site.relaxed && paired == 0 && relaxed == 0 &&
               !names.contains(FolderOf(file) + std::string(AccessedName(file, i)))) {
      findings.push_back(
          {file.path, i + 1, "a relaxed order without a comment \"relaxed: <reason>\""});
    }
    if ((site.ordering || site.relaxed) && paired > 0) {
      paired = kReach + 1;
    }
    if (site.relaxed && relaxed > 0) {
      relaxed = kReach + 1;
    }
    paired -= paired > 0 ? 1 : 0;
    relaxed -= relaxed > 0 ? 1 : 0;
  }
  return findings;
}

}  // namespace

Findings CheckMemoryOrders(const SourceFile& file) {
  Names names;
  AddExplainedNames(file, names);
  return Unexplained(file, names);
}

Findings FindUnexplainedOrders(const std::vector<SourceFile>& files) {
  Names names;
  for (const SourceFile& file : files) {
    AddExplainedNames(file, names);
  }
  Findings findings;
  for (const SourceFile& file : files) {
    std::ranges::move(Unexplained(file, names), std::back_inserter(findings));
  }
  return findings;
}

}  // namespace schedbench::lint
