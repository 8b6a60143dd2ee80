#include "tests/fuzz/oracle.hpp"

#include "config/apply_json.hpp"
#include "config/settings_json.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace schedbench::fuzz {

using config::JsonNode;

void Check(bool claim, std::string_view what) {
  if (!claim) {
    std::fprintf(stderr, "false: %.*s\n", static_cast<int>(what.size()), what.data());
    std::abort();
  }
}

void CheckInsideLimits(const config::Settings& settings) {
  config::ForEachLeaf(settings, [&](const std::string& path, const config::Value& value) {
    Check(settings.GetSchema().FindLeaf(path)->field->Admits(value),
          "a value is inside its limits");
  });
}

void CheckSurvivesRoundTrip(const config::Settings& settings) {
  config::Problems problems;
  const auto document =
      config::JsonDocument::Parse(config::ToJson(settings).dump(2), "printed.json", problems);
  Check(document.has_value(), "printed settings are JSON");
  config::Settings again(settings.GetSchema());
  config::ApplyJson(*document, document->Root(), again, problems);
  Check(problems.empty(), "printed settings are accepted");
  Check(again == settings, "printed settings are the same when read again");
}

void CheckNamesWhatIsWrong(const config::Problems& problems, std::string_view name) {
  Check(!problems.empty(), "a refusal names what is wrong");
  for (const config::Problem& problem : problems.List()) {
    Check(!problem.message.empty(), "a problem has a message");
    if (!name.empty()) {
      Check(problem.where.starts_with(name), "a problem in a file names the place");
      Check(std::ranges::count(problem.where, ':') >= 2, "a place is name:line:column");
    }
  }
}

std::string ToJson(const JsonNode& node) {
  const auto quoted = [](const std::string& text) { return nlohmann::json(text).dump(); };
  std::string text;
  switch (node.kind) {
    case JsonNode::Kind::kNull:
      return "null";
    case JsonNode::Kind::kBool:
    case JsonNode::Kind::kNumber:
      return node.text;
    case JsonNode::Kind::kString:
      return quoted(node.text);
    case JsonNode::Kind::kArray:
      for (const JsonNode& element : node.elements) {
        text += (text.empty() ? "" : ",") + ToJson(element);
      }
      return "[" + text + "]";
    case JsonNode::Kind::kObject:
      for (const config::JsonMember& member : node.members) {
        text += (text.empty() ? "" : ",") + quoted(member.key) + ":" + ToJson(member.value);
      }
      return "{" + text + "}";
  }
  return text;
}

bool SameValues(const JsonNode& a, const JsonNode& b) {
  return a.kind == b.kind && a.text == b.text &&
         std::ranges::equal(a.elements, b.elements, &SameValues) &&
         std::ranges::equal(a.members, b.members,
                            [](const config::JsonMember& x, const config::JsonMember& y) {
                              return x.key == y.key && SameValues(x.value, y.value);
                            });
}

}  // namespace schedbench::fuzz
