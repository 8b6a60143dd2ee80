#include "base/assert.hpp"
#include "config/json_document.hpp"
#include "config/json_syntax_error.hpp"

#include <fmt/core.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

// nlohmann's SAX parser decides what is JSON and reports the values, but not their positions. So
// the handler keeps its own cursor in the text: every event belongs to the next token, which the
// parser has already found to be well-formed. The number of events and the cursor always agree.

namespace schedbench::config {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kJsonSpace = " \t\r\n";
constexpr std::string_view kBetweenValues = " \t\r\n,:";
constexpr int kNumberOverflow = 406;  // id of nlohmann's exception

}  // namespace

class JsonDocument::SaxHandler : public nlohmann::ordered_json::json_sax_t {
 public:
  SaxHandler(JsonDocument& document, Problems& problems)
      : document_(document),
        text_(document.text_),
        problems_(problems) {
    cursor_ = text_.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  }

  bool null() override {
    AddScalar(JsonNode::Kind::kNull, "null");
    return true;
  }
  bool boolean(bool value) override {
    AddScalar(JsonNode::Kind::kBool, value ? "true" : "false");
    return true;
  }
  bool number_integer(number_integer_t) override {
    AddNumber();
    return true;
  }
  bool number_unsigned(number_unsigned_t) override {
    AddNumber();
    return true;
  }
  bool number_float(number_float_t, const string_t&) override {
    AddNumber();
    return true;
  }
  bool string(string_t& value) override {
    AddScalar(JsonNode::Kind::kString, std::move(value));
    return true;
  }
  bool binary(binary_t&) override {
    SB_ASSERT(false, "JSON has no binary values");
    return false;
  }
  bool start_object(std::size_t) override {
    return Open(JsonNode::Kind::kObject);
  }
  bool start_array(std::size_t) override {
    return Open(JsonNode::Kind::kArray);
  }
  bool end_object() override {
    Close();
    return true;
  }
  bool end_array() override {
    Close();
    return true;
  }

  bool key(string_t& name) override {
    const std::size_t offset = NextToken();
    OpenNode& object = open_.back();
    const auto [first, is_new] = object.keys.emplace(name, offset);
    if (!is_new && !problems_.Full()) {
      problems_.Add(
          document_.Where(offset), PointerStep(PointerToOpen(), name),
          fmt::format("duplicate key; the first one is at {}", LineAndColumn(first->second)));
    }
    if (object.keys.size() > JsonDocument::kMostKeys) {
      problems_.Add(document_.Where(offset), PointerToOpen(),
                    fmt::format("an object with more than {} keys", JsonDocument::kMostKeys));
      return false;
    }
    object.node->members.push_back({std::move(name), offset, {}});
    after_key_ = true;
    return true;
  }

  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception& error) override {
    const std::size_t last_read = position == 0 ? 0 : position - 1;  // it counts bytes from 1
    const std::size_t token = RefusedToken(last_read);
    const JsonSyntaxError found =
        DescribeSyntaxError(text_, {.token = token,
                                    .last_read = last_read,
                                    .too_large = error.id == kNumberOverflow,
                                    .expected = ExpectedAt(token)});
    problems_.Add(document_.Where(found.offset), "", found.message);
    return false;
  }

 private:
  struct OpenNode {
    JsonNode* node;  // does not move: its siblings come only after it is closed
    std::unordered_map<std::string, std::size_t> keys;  // offset of the first occurrence
  };

  // Returns the offset of the token of this event.
  std::size_t FindToken() const {
    return std::min(text_.find_first_not_of(kBetweenValues, cursor_), text_.size());
  }

  // Returns the offset of the refused token: the last one read, maybe a comma or colon.
  std::size_t RefusedToken(std::size_t last_read) const {
    std::size_t at = text_.find_first_not_of(kJsonSpace, cursor_);
    while (at < last_read && (text_[at] == ',' || text_[at] == ':')) {
      at = text_.find_first_not_of(kJsonSpace, at + 1);
    }
    return std::min(at, text_.size());
  }

  // Returns what JSON expects instead of the token at `offset`.
  std::string_view ExpectedAt(std::size_t offset) const {
    const std::size_t before = text_.substr(0, offset).find_last_not_of(kJsonSpace);
    const bool is_first = before == text_.npos || (before + 1 == kByteOrderMark.size() &&
                                                   text_.starts_with(kByteOrderMark));
    const bool in_object = !open_.empty() && open_.back().node->kind == JsonNode::Kind::kObject;
    switch (is_first ? ':' : text_[before]) {
      case ':':
        return "a value";
      case ',':
        return in_object ? "a key" : "a value";
      case '{':
        return "a key or '}'";
      case '[':
        return "a value or ']'";
      default:
        break;
    }
    if (open_.empty()) {
      return "the end of the file";
    }
    return after_key_ ? "':'" : in_object ? "',' or '}'" : "',' or ']'";
  }

  // Skips the token of this event; returns its offset.
  std::size_t NextToken() {
    const std::size_t offset = FindToken();
    cursor_ = offset + TokenLength(text_.substr(offset));
    return offset;
  }

  // Returns the node for the next value: the root, the member of the last key, or a new element.
  JsonNode& Place() {
    after_key_ = false;
    if (open_.empty()) {
      return document_.root_;
    }
    JsonNode& parent = *open_.back().node;
    return parent.kind == JsonNode::Kind::kObject ? parent.members.back().value
                                                  : parent.elements.emplace_back();
  }

  void AddScalar(JsonNode::Kind kind, std::string text) {
    JsonNode& node = Place();
    node.kind = kind;
    node.offset = NextToken();
    node.text = std::move(text);
  }

  // Adds the number as written: "3.0" and "1e3" are not whole here, and 2^64 must not become 0.
  void AddNumber() {
    const std::size_t offset = FindToken();
    AddScalar(JsonNode::Kind::kNumber,
              std::string(text_.substr(offset, TokenLength(text_.substr(offset)))));
  }

  bool Open(JsonNode::Kind kind) {
    const std::size_t offset = NextToken();
    if (open_.size() == JsonDocument::kDeepestNesting) {
      problems_.Add(document_.Where(offset), "",
                    fmt::format("more than {} nested levels", JsonDocument::kDeepestNesting));
      return false;
    }
    JsonNode& node = Place();
    node.kind = kind;
    node.offset = offset;
    open_.push_back({&node, {}});
    return true;
  }

  void Close() {
    NextToken();
    open_.pop_back();
  }

  std::string PointerToOpen() const {
    std::string pointer;
    for (std::size_t i = 0; i + 1 < open_.size(); ++i) {
      const JsonNode& node = *open_[i].node;
      pointer = node.kind == JsonNode::Kind::kObject
                    ? PointerStep(pointer, node.members.back().key)
                    : fmt::format("{}/{}", pointer, node.elements.size() - 1);
    }
    return pointer;
  }

  std::string LineAndColumn(std::size_t offset) const {
    const std::string where = document_.Where(offset);
    return where.substr(where.rfind(':', where.rfind(':') - 1) + 1);
  }

  JsonDocument& document_;
  std::string_view text_;
  Problems& problems_;
  std::size_t cursor_ = 0;
  bool after_key_ = false;      // whether the last token is a key
  std::vector<OpenNode> open_;  // from the root to the innermost
};

bool JsonDocument::Build(Problems& problems) {
  const std::string_view text = text_;
  const std::size_t start = text.starts_with(kByteOrderMark) ? kByteOrderMark.size() : 0;
  if (text.find_first_not_of(kJsonSpace, start) == text.npos) {
    problems.Add(Where(0), "", "the file is empty; the shortest JSON is {}");
    return false;
  }
  // nlohmann takes a NUL for the end of the input, and would ignore the rest.
  if (const std::size_t nul = text.find('\0');
      nul != text.npos && !text.starts_with("\xFF\xFE") && !text.starts_with("\xFE\xFF")) {
    problems.Add(Where(nul), "", "the file has a NUL byte; it is not a text file");
    return false;
  }
  SaxHandler handler(*this, problems);
  return nlohmann::ordered_json::sax_parse(text.begin(), text.end(), &handler);
}

}  // namespace schedbench::config
