// Every explicit memory order in src/, schedulers/ and workloads/ names its partner or says why it needs none.
//
//   site         a line of code with memory_order_x or memory_order::x; using-declarations are none
//   explanation  a comment with "pairs with <site or place>", which explains any order, or with
//                "relaxed: <reason>", which explains relaxed orders only
//   rule         going up from the site, itself included, through at most kReach lines and no blank line, there is
//                an explanation or another site that is explained in the same way (a block shares one comment)
#include "tests/lint/rules.hpp"

#include <fmt/format.h>

#include <string_view>

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

// Returns true iff the comment has the phrase and a word after it, on the same line or the next one.
bool Says(const SourceFile& file, std::size_t i, std::string_view phrase) {
  const std::string_view comment = file.comments[i];
  const std::size_t at = comment.find(phrase);
  if (at == std::string_view::npos) {
    return false;
  }
  return !IsBlank(comment.substr(at + phrase.size())) ||
         (i + 1 < file.comments.size() && !IsBlank(file.comments[i + 1]));
}

}  // namespace

Findings CheckMemoryOrders(const SourceFile& file) {
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
    } else if (site.relaxed && paired == 0 && relaxed == 0) {
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

}  // namespace schedbench::lint
