#include "config/quote.hpp"
#include "report/comparison/parts.hpp"
#include "report/parts/json_parts.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cstddef>
#include <string>

namespace schedbench::report {

namespace {

std::string ValueText(const Json& flat, const std::string& key) {
  return flat.contains(key) ? config::Escaped(flat[key].dump(), 100) : "not set";
}

// Returns "lifo_limit 3 then and 0 now": the differences of two configs, as pointers without the
// first slash; "" if they are equal.
std::string ChangesOf(const std::string& saved, const std::string& now) {
  const Json then_flat = Json::parse(saved).flatten();
  const Json now_flat = Json::parse(now).flatten();
  Json keys = then_flat;
  keys.update(now_flat);
  std::string text;
  for (const auto& [key, ignored] : keys.items()) {
    const std::string before = ValueText(then_flat, key);
    const std::string after = ValueText(now_flat, key);
    if (!key.empty() && before != after) {  // an empty object has an empty key
      text += fmt::format("{}{} {} then and {} now", text.empty() ? "" : ", ",
                          config::Escaped(key.substr(std::min<std::size_t>(1, key.size())), 100),
                          before, after);
    }
  }
  return text;
}

}  // namespace

std::vector<Note> NotesOnBaseline(const harness::ComparisonPlan& plan, const TerminalStyle& style) {
  if (plan.saved.count == 0) {
    return {};
  }
  std::vector<Note> notes{
      {fmt::format("{} compared with {}, measured at another time: drift of the machine is not "
                   "cancelled",
                   style.Sign("⚠", "!"), config::Escaped(plan.saved.file, 200)),
       "to cancel it, measure both in turn: schedbench compare ... --with "
       "'saved/fast=FORMER/BUILD/schedbench agent'",
       "saved"}};
  for (std::size_t i = plan.saved.count; i < plan.alternatives.size(); ++i) {
    const harness::Alternative& now = plan.alternatives[i];
    const harness::Alternative& saved = plan.alternatives[*harness::Against(plan, i)];
    if (saved.scheduler != now.scheduler) {
      notes.push_back(
          {fmt::format("{} is {} and {} {}", now.name, now.scheduler, saved.name, saved.scheduler),
           "", "saved"});
    } else if (const std::string changes = ChangesOf(saved.config, now.config); !changes.empty()) {
      notes.push_back({fmt::format("{}: {}", now.name, changes), "", "saved"});
    }
  }
  return notes;
}

}  // namespace schedbench::report
