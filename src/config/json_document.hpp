#pragma once

#include "config/problems.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

struct JsonMember;

// A JSON value with its position in the text and its original form.
struct JsonNode {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;                 // number: as written ("3.0", "1e3"); bool; string: decoded
  std::size_t offset = 0;           // offset of its first byte in the file
  std::vector<JsonMember> members;  // for objects, in the order of the file
  std::vector<JsonNode> elements;   // for arrays

  // Returns the value of this key's first member; null without one or for another kind.
  const JsonNode* Find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t key_offset;
  JsonNode value;
};

// A JSON text (RFC 8259) read strictly: no duplicate keys, at most kDeepestNesting levels and
// kMostKeys keys of an object, no comments, trailing commas, NaN, numbers beyond double, bad UTF-8
// or NUL bytes. A UTF-8 byte order mark is skipped.
class JsonDocument {
 public:
  // Depth of objects and arrays inside each other.
  static constexpr std::size_t kDeepestNesting = 64;
  // The limit of an object: nlohmann::ordered_json compares a key with all earlier keys. Arbitrary:
  // the largest objects have some hundreds.
  static constexpr std::size_t kMostKeys = 4096;

  // The expected content, for messages, and the limit, which also holds for an endless device.
  struct FileKind {
    std::string_view name = "config";
    std::size_t largest = 16u << 20;  // bytes; a config has some kilobytes
  };

  // Parses `text`; `name` is the file's name in messages. Errors go to `problems`. Returns none if
  // the text is not JSON. Duplicate keys are problems too, but do not prevent a document, so that
  // the rest of the file can be checked.
  static std::optional<JsonDocument> Parse(std::string text, std::string name, Problems& problems);

  // Reads and parses a file; "-" is stdin. A file that cannot be read, is a directory or is larger
  // than its kind allows is a problem.
  static std::optional<JsonDocument> ReadFile(const std::string& path, Problems& problems,
                                              const FileKind& kind);
  static std::optional<JsonDocument> ReadFile(const std::string& path, Problems& problems) {
    return ReadFile(path, problems, FileKind());
  }

  const JsonNode& Root() const {
    return root_;
  }
  const std::string& Name() const {
    return name_;
  }
  const std::string& Text() const {
    return text_;
  }

  // Returns "name:line:column" of a byte of the text; both count from 1, the column in characters.
  std::string Where(std::size_t offset) const;

  // Returns the JSON pointer (RFC 6901) of a node of this document, escaped for printing:
  // "/fibers/guard"; "" for the root. Takes linear time: for messages.
  std::string PointerTo(const JsonNode& node) const;

 private:
  class SaxHandler;

  JsonDocument(std::string text, std::string name);

  // Fills the tree from the text. Returns false, and adds a problem, if it is not JSON.
  bool Build(Problems& problems);

  std::string text_;
  std::string name_;
  JsonNode root_;
};

// Returns `pointer` with one more step, which is escaped by RFC 6901 and for printing.
std::string PointerStep(std::string_view pointer, std::string_view key);

// Returns whether a text in JSON's syntax nests objects and arrays deeper than `levels`. Readers
// that keep a tree of nlohmann::json ask this before they parse: the library writes and compares
// trees by recursion, and deep input would overflow the stack. Takes linear time. Thread-safe.
bool NestsDeeperThan(std::string_view text, std::size_t levels) noexcept;

}  // namespace schedbench::config
