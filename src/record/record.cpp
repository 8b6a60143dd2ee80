#include "record/record.hpp"

#include "config/json_document.hpp"
#include "config/quote.hpp"
#include "config/suggest.hpp"

#include <fmt/core.h>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace schedbench::record {

namespace {

bool IsDefault(const Json& json) {
  return json.is_number() ? json == 0
         : json.is_boolean()
             ? !json.get<bool>()
             : json.empty() || (json.is_string() && json.get_ref<const std::string&>().empty());
}

// Returns a value for a message.
std::string Shown(const Json& value) {
  return value.is_object() ? "an object"
         : value.is_array()
             ? "an array"
             : config::Escaped(value.dump(-1, ' ', false, Json::error_handler_t::replace));
}

const Limits& LimitsAt(const Place& place) {
  static constexpr Limits kNone;
  return place.limits == nullptr ? kNone : *place.limits;
}

std::string ReadTextOf(const Json& json, const Place& place) {
  if (!json.is_string()) {
    place.RefuseValue(json, "a string");
  }
  return json.get<std::string>();
}

}  // namespace

ReadError::ReadError(std::string pointer, const std::string& complaint)
    : std::runtime_error(pointer.empty() ? complaint : fmt::format("{}: {}", pointer, complaint)),
      pointer_(std::move(pointer)),
      complaint_(complaint) {
}

std::string Place::Pointer() const {
  if (parent == nullptr) {
    return std::string(key);
  }
  return index ? fmt::format("{}/{}", parent->Pointer(), *index)
               : config::PointerStep(parent->Pointer(), key);
}

void Place::Refuse(const std::string& complaint) const {
  throw ReadError(Pointer(), complaint);
}

void Place::RefuseValue(const Json& value, const std::string& what) const {
  Refuse(fmt::format("{} is not {}", Shown(value), what));
}

namespace detail {

void WriteBool(const void* value, Json& json) {
  json = *static_cast<const bool*>(value);
}

void ReadBool(void* value, const Json& json, const Place& place) {
  if (!json.is_boolean()) {
    place.RefuseValue(json, "true or false");
  }
  *static_cast<bool*>(value) = json.get<bool>();
}

void WriteString(const void* value, Json& json) {
  json = *static_cast<const std::string*>(value);
}

void ReadString(void* value, const Json& json, const Place& place) {
  const Limits& limits = LimitsAt(place);
  if (json.is_null() && limits.presence == kNull) {
    static_cast<std::string*>(value)->clear();
    return;
  }
  std::string text = ReadTextOf(json, place);
  if (!limits.one_of.empty()) {
    ReadName(json, place, limits.one_of);
  }
  if (limits.is_name && (text.empty() || !config::IsPrintable(text))) {
    place.RefuseValue(json, "a text without control characters");
  }
  *static_cast<std::string*>(value) = std::move(text);
}

void WriteDouble(const void* value, Json& json) {
  const double number = *static_cast<const double*>(value);
  json = std::isfinite(number) ? Json(number) : Json(nullptr);
}

void ReadDouble(void* value, const Json& json, const Place& place) {
  const bool is_from_0 = LimitsAt(place).from_0;
  if (!json.is_number() || (is_from_0 && json.get<double>() < 0)) {
    place.RefuseValue(json, is_from_0 ? "a number from 0" : "a number");
  }
  *static_cast<double*>(value) = json.get<double>();
}

void WriteJson(const void* value, Json& json) {
  json = *static_cast<const Json*>(value);
}

void WriteJsonText(const void* value, Json& json) {
  const auto& text = *static_cast<const std::string*>(value);
  json = text.empty() ? Json(nullptr) : Json::parse(text);
}

void ReadJsonText(void* value, const Json& json, const Place& place) {
  if (!json.is_object() && !(json.is_null() && LimitsAt(place).presence == kNull)) {
    place.RefuseValue(json, "an object");
  }
  *static_cast<std::string*>(value) = json.is_null() ? "" : json.dump();
}

void WriteText(std::string_view text, Json& json) {
  json = text;
}

void WriteInteger(std::uint64_t number, Json& json) {
  json = number;
}

void WriteInteger(std::int64_t number, Json& json) {
  // The parser makes every number from 0 unsigned, and so does this.
  json = number < 0 ? Json(number) : Json(static_cast<std::uint64_t>(number));
}

std::uint64_t ReadInteger(const Json& json, const Place& place, std::uint64_t most) {
  const Limits& limits = LimitsAt(place);
  most = std::min(most, limits.most);
  // A negative number is not unsigned.
  const std::uint64_t number = json.is_number_unsigned() ? json.get<std::uint64_t>() : 0;
  if (!json.is_number_unsigned() || number < limits.least || number > most) {
    place.RefuseValue(json, fmt::format("a whole number from {} to {}", limits.least, most));
  }
  return number;
}

std::size_t ReadName(const Json& json, const Place& place,
                     std::span<const std::string_view> names) {
  const std::string text = ReadTextOf(json, place);
  const auto found = std::ranges::find(names, text);
  if (found == names.end()) {
    place.RefuseValue(json, fmt::format("one of {}", fmt::join(names, ", ")));
  }
  return static_cast<std::size_t>(found - names.begin());
}

Json& Append(Json& array) {
  return array.emplace_back(nullptr);
}

Json& AddMember(Json& object, std::string_view name) {
  return object[std::string(name)];
}

void MakeEmptyArray(Json& json) {
  json = Json::array();
}

void MakeObject(Json& json) {
  if (!json.is_object()) {
    json = Json::object();
  }
}

bool IsNull(const Json& json) {
  return json.is_null();
}

void ReadArray(const Json& json, const Place& place, const Type& element, void* values,
               void* (*append)(void* values), std::optional<std::size_t> size) {
  if (!json.is_array()) {
    place.RefuseValue(json, "an array");
  }
  if (size && json.size() != *size) {
    place.Refuse(fmt::format("has {} elements, not {}", json.size(), *size));
  }
  if (json.empty() && LimitsAt(place).is_name) {
    place.Refuse("is empty");
  }
  for (std::size_t i = 0; i < json.size(); ++i) {
    element.read(append(values), json[i], {&place, {}, i, place.limits, place.refuses_unknown});
  }
}

void ReadMap(const Json& json, const Place& place, const Type& element, void* values,
             void* (*append)(void* values, const std::string& name)) {
  if (!json.is_object()) {
    place.RefuseValue(json, "an object");
  }
  for (const auto& [name, value] : json.items()) {
    element.read(append(values, name), value, place.At(name, place.limits));
  }
}

void WriteRecord(const Record& record, const void* value, Json& json) {
  record.Write(value, json);
}

void ReadRecord(const Record& record, void* value, const Json& json, const Place& place) {
  record.Read(value, json, place);
}

}  // namespace detail

const Record& EmptyRecord() {
  static const Record kRecord("Empty", nullptr, 0);
  return kRecord;
}

Json ToJson(const Type& type, const void* value) {
  Json json;
  type.write(value, json);
  return json;
}

Record::Record(const char* name, const KeyInfo* keys, std::size_t count)
    : name_(name),
      keys_(keys, keys + count) {
}

void Record::Write(const void* object, Json& json) const {
  detail::MakeObject(json);
  for (const KeyInfo& key : keys_) {
    if (key.name == kInline) {
      key.Write(object, json);
      continue;
    }
    Json value;
    key.Write(object, value);
    const Presence presence = key.limits.presence;
    if (presence == kNull && IsDefault(value)) {
      value = nullptr;
    }
    if (presence != kOmitted || !IsDefault(value)) {
      json.get_ref<Json::object_t&>().emplace_back(key.name, std::move(value));
    }
  }
}

void Record::AddNames(std::vector<std::string_view>& names) const {
  for (const KeyInfo& key : keys_) {
    if (key.name != kInline) {
      names.emplace_back(key.name);
    } else if (key.type->record != nullptr) {
      key.type->record().AddNames(names);
    }
  }
}

void Record::ReadKeys(void* object, const Json& json, const Place& place) const {
  for (const KeyInfo& key : keys_) {
    if (key.project != nullptr) {
      continue;
    }
    void* const value = static_cast<char*>(object) + key.offset;
    if (key.name == kInline) {
      key.type->record().ReadKeys(value, json, place);
      continue;
    }
    const Place inside = place.At(key.name, &key.limits);
    if (const auto found = json.find(key.name); found != json.end()) {
      key.type->read(value, *found, inside);
    } else if (key.limits.presence == kRequired || key.limits.presence == kNull) {
      inside.Refuse("is missing");
    }
  }
}

void Record::Read(void* object, const Json& json, const Place& place) const {
  if (!json.is_object()) {
    place.RefuseValue(json, "an object");
  }
  ReadKeys(object, json, place);
  if (!place.refuses_unknown) {
    return;
  }
  std::vector<std::string_view> names;
  AddNames(names);
  for (const auto& [key, value] : json.items()) {
    if (std::ranges::find(names, key) == names.end()) {
      place.At(key, nullptr).Refuse("unknown key" + config::DidYouMean(key, names));
    }
  }
}

}  // namespace schedbench::record
