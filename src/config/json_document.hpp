#pragma once

#include "config/problems.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace schedbench::config {

struct JsonMember;

// A JSON value with its position in the text and the way it was written.
struct JsonNode {
  enum class Kind { kNull, kBool, kNumber, kString, kArray, kObject };

  Kind kind = Kind::kNull;
  std::string text;                 // number: as written ("3.0", "1e3"); bool; string: decoded
  std::size_t offset = 0;           // of its first byte in the file
  std::vector<JsonMember> members;  // object, in the order of the file
  std::vector<JsonNode> elements;   // array

  // Returns the value of the first member of this key; null when there is none or this is no
  // object.
  const JsonNode* Find(std::string_view key) const;
};

struct JsonMember {
  std::string key;
  std::size_t key_offset;
  JsonNode value;
};

// A JSON text (RFC 8259) read strictly: no duplicate keys, no more than kDeepestNesting levels and
// kMostKeys keys of an object, no comments, trailing commas, NaN, numbers beyond double, bad UTF-8
// or NUL bytes. A UTF-8 byte order mark is skipped.
class JsonDocument {
 public:
  static constexpr std::size_t kDeepestNesting = 64;  // objects and arrays inside each other
  // The limit of an object: nlohmann::ordered_json finds a key by comparing it with all keys before
  // it. Arbitrary: the largest objects have some hundreds.
  static constexpr std::size_t kMostKeys = 4096;

  // What a file is to be, for messages and as a limit: of a device without end no more is read.
  struct FileKind {
    std::string_view name = "config";
    std::size_t largest = 16u << 20;  // bytes; a config is some kilobytes
  };

  // Parses `text`; `name` stands for the file in messages. What is wrong goes to `problems`.
  // Returns nothing when the text is not JSON; duplicate keys are problems too, but leave a
  // document, so that the rest of the file can be checked.
  static std::optional<JsonDocument> Parse(std::string text, std::string name, Problems& problems);

  // Reads and parses a file; "-" is stdin. A file that cannot be read, is a directory or is larger than its kind is
  // a problem.
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
  // "/fibers/guard"; "" for the root. Takes time linear in the document: for messages.
  std::string PointerTo(const JsonNode& node) const;

 private:
  class SaxHandler;

  JsonDocument(std::string text, std::string name);

  // Fills the tree from the text. Returns false if the text is not JSON, and adds the reason to the
  // problems.
  bool Build(Problems& problems);

  std::string text_;
  std::string name_;
  JsonNode root_;
};

// Returns `pointer` with one more step, which is escaped by RFC 6901 and for printing.
std::string PointerStep(std::string_view pointer, std::string_view key);

// Whether a text in the syntax of JSON has objects and arrays inside each other at more than `levels`. Readers that keep
// what they read as a tree of nlohmann::json ask this before they parse: the library writes and compares trees by
// recursion, and input that nests deeply would overflow the stack. Takes linear time, whatever the text is. Thread-safe.
bool NestsDeeperThan(std::string_view text, std::size_t levels) noexcept;

}  // namespace schedbench::config
