#include "config/file_fields.hpp"

#include "config/schema.hpp"

#include <utility>
#include <variant>

namespace schedbench::config {

std::vector<std::string> FilesOf(const Settings& settings) {
  std::vector<std::string> files;
  for (const Leaf& leaf : settings.GetSchema().Leaves()) {
    if (leaf.field->kind != Kind::kFile) {
      continue;
    }
    if (auto name = std::get<std::string>(settings.Get(leaf.path)); !name.empty()) {
      files.push_back(std::move(name));
    }
  }
  return files;
}

}  // namespace schedbench::config
