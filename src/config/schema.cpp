#include "config/schema.hpp"

#include "base/assert.hpp"
#include "base/vector_of.hpp"
#include "config/file_name.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <utility>

namespace schedbench::config {

namespace {

std::string Joined(std::span<const std::string_view> words) {
  std::string result;
  for (const std::string_view word : words) {
    result += result.empty() ? "" : "|";
    result += word;
  }
  return result;
}

template <typename T>
bool IsInRange(const FieldInfo& field, const Value& value) {
  const T* number = std::get_if<T>(&value);
  return number != nullptr && std::get<T>(field.min) <= *number &&
         *number <= std::get<T>(field.max);
}

void AddLeaves(const std::vector<FieldInfo>& fields, std::vector<Leaf>& leaves) {
  for (const FieldInfo& field : fields) {
    if (field.kind != Kind::kGroup) {
      leaves.push_back({std::string(field.name), &field, field.offset});
      continue;
    }
    for (const Leaf& inner : field.group->Leaves()) {
      leaves.push_back(
          {fmt::format("{}.{}", field.name, inner.path), inner.field, field.offset + inner.offset});
    }
  }
}

}  // namespace

std::string FieldInfo::Allowed() const {
  switch (kind) {
    case Kind::kUnsigned:
    case Kind::kSigned:
    case Kind::kReal:
      return fmt::format("{}..{}{}", ToText(min), ToText(max), power_of_two ? " ^2" : "");
    case Kind::kBool:
      return "true|false";
    case Kind::kEnum:
      return Joined(choices);
    case Kind::kFile:
      return fmt::format("the name of a file, of at most {} bytes", FileName::kMaxBytes);
    case Kind::kGroup:
      return "";
  }
  return "";
}

bool FieldInfo::Admits(const Value& value) const {
  switch (kind) {
    case Kind::kUnsigned:
      return IsInRange<std::uint64_t>(*this, value) &&
             (!power_of_two || std::has_single_bit(std::get<std::uint64_t>(value)));
    case Kind::kSigned:
      return IsInRange<std::int64_t>(*this, value);
    case Kind::kReal:
      return IsInRange<double>(*this, value);  // false for NaN; limits are finite
    case Kind::kBool:
      return std::holds_alternative<bool>(value);
    case Kind::kEnum: {
      const std::string* name = std::get_if<std::string>(&value);
      return name != nullptr && std::find(choices.begin(), choices.end(), *name) != choices.end();
    }
    case Kind::kFile: {
      const std::string* name = std::get_if<std::string>(&value);
      return name != nullptr && name->size() <= FileName::kMaxBytes && IsPrintable(*name);
    }
    case Kind::kGroup:
      return false;
  }
  return false;
}

Schema::Schema(const std::type_info& type, std::vector<std::byte> defaults,
               std::vector<FieldInfo> fields, CheckFunction check)
    : type_(&type),
      defaults_(std::move(defaults)),
      fields_(std::move(fields)),
      check_(check) {
  for (std::size_t i = 0; i < fields_.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      SB_ASSERT(fields_[i].name != fields_[j].name, "two fields of one name");
    }
  }
  AddLeaves(fields_, leaves_);
}

const FieldInfo* Schema::FindField(std::string_view name) const {
  const auto found = std::find_if(fields_.begin(), fields_.end(),
                                  [&](const FieldInfo& field) { return field.name == name; });
  return found == fields_.end() ? nullptr : &*found;
}

const Leaf* Schema::FindLeaf(std::string_view path) const {
  const auto found = std::find_if(leaves_.begin(), leaves_.end(),
                                  [&](const Leaf& leaf) { return leaf.path == path; });
  return found == leaves_.end() ? nullptr : &*found;
}

std::vector<std::string_view> Schema::FieldNames() const {
  return VectorOf<std::string_view>(fields_, &FieldInfo::name);
}

std::vector<std::string_view> Schema::LeafPaths() const {
  return VectorOf<std::string_view>(leaves_, &Leaf::path);
}

}  // namespace schedbench::config
