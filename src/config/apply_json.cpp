#include "config/apply_json.hpp"

#include "config/parse_value.hpp"
#include "config/path_hint.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <string>
#include <utility>

namespace schedbench::config {

namespace {

class Applier {
 public:
  Applier(const JsonDocument& document, Settings& settings, Problems& problems)
      : document_(document),
        settings_(settings),
        problems_(problems) {
  }

  // `prefix` is the dotted path of the object's group: "" or "fibers.".
  void ApplyObject(const JsonNode& object, const Schema& schema, const std::string& prefix,
                   const std::vector<std::string_view>& handled) {
    for (const JsonMember& member : object.members) {
      if (problems_.Full()) {
        return;
      }
      const bool is_handled =
          std::find(handled.begin(), handled.end(), member.key) != handled.end();
      if (is_handled || member.key.starts_with("x-")) {
        continue;
      }
      if (const FieldInfo* field = schema.FindField(member.key)) {
        ApplyField(*field, member.value, prefix);
      } else {
        problems_.Add(document_.Where(member.key_offset), document_.PointerTo(member.value),
                      fmt::format("unknown field{}", FieldHint(member.key, schema, handled)));
      }
    }
  }

 private:
  void ApplyField(const FieldInfo& field, const JsonNode& node, const std::string& prefix) {
    const std::string path = prefix + std::string(field.name);
    if (field.kind != Kind::kGroup) {
      ParsedValue parsed = ParseNode(field, node);
      Origin origin{document_.Where(node.offset), document_.PointerTo(node)};
      if (parsed.value) {
        settings_.Set(path, *parsed.value, std::move(origin));
      } else {
        problems_.Add(std::move(origin.where), std::move(origin.path), std::move(parsed.error));
      }
    } else if (node.kind == JsonNode::Kind::kObject) {
      ApplyObject(node, *field.group, path + ".", {});
    } else {
      problems_.Add(
          document_.Where(node.offset), document_.PointerTo(node),
          fmt::format("this is a group; its value must be an object{}", KnownFields(*field.group)));
    }
  }

  const JsonDocument& document_;
  Settings& settings_;
  Problems& problems_;
};

}  // namespace

void ApplyJson(const JsonDocument& document, const JsonNode& object, Settings& settings,
               Problems& problems, const std::vector<std::string_view>& handled) {
  const Schema& schema = settings.GetSchema();
  if (object.kind != JsonNode::Kind::kObject) {
    problems.Add(document.Where(object.offset), document.PointerTo(object),
                 fmt::format("a config must be an object{}", KnownFields(schema)));
    return;
  }
  std::vector<std::string_view> skipped = handled;
  skipped.push_back("$schema");
  Applier(document, settings, problems).ApplyObject(object, schema, "", skipped);
}

}  // namespace schedbench::config
