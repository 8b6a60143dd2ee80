#include "config/json_document.hpp"

#include "config/quote.hpp"
#include "platform/files/input_file.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

namespace schedbench::config {

namespace {

constexpr std::size_t kLongestName = 4096;  // PATH_MAX: the name of a file is never cut

// Appends the steps from `node` to `wanted`; returns false if it is not below.
bool FindPointer(const JsonNode& node, const JsonNode& wanted, std::string& pointer) {
  if (&node == &wanted) {
    return true;
  }
  const std::size_t length = pointer.size();
  for (const JsonMember& member : node.members) {
    pointer = PointerStep(pointer, member.key);
    if (FindPointer(member.value, wanted, pointer)) {
      return true;
    }
    pointer.resize(length);
  }
  for (std::size_t i = 0; i < node.elements.size(); ++i) {
    pointer += fmt::format("/{}", i);
    if (FindPointer(node.elements[i], wanted, pointer)) {
      return true;
    }
    pointer.resize(length);
  }
  return false;
}

}  // namespace

const JsonNode* JsonNode::Find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(),
                                  [&](const JsonMember& member) { return member.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

std::string PointerStep(std::string_view pointer, std::string_view key) {
  std::string step;
  for (const char c : key) {
    if (c == '~') {
      step += "~0";
    } else if (c == '/') {
      step += "~1";
    } else {
      step += c;
    }
  }
  return fmt::format("{}/{}", pointer, Escaped(step));
}

JsonDocument::JsonDocument(std::string text, std::string name)
    : text_(std::move(text)),
      name_(std::move(name)) {
}

std::string JsonDocument::Where(std::size_t offset) const {
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const std::string_view before = std::string_view(text_).substr(0, offset);
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t newline = before.rfind('\n');
  std::string_view in_line = newline == before.npos ? before : before.substr(newline + 1);
  if (newline == before.npos && in_line.starts_with(kByteOrderMark)) {
    in_line.remove_prefix(kByteOrderMark.size());
  }
  return fmt::format("{}:{}:{}", Escaped(name_, kLongestName), line, CharacterCount(in_line) + 1);
}

std::string JsonDocument::PointerTo(const JsonNode& node) const {
  std::string pointer;
  FindPointer(root_, node, pointer);
  return pointer;
}

std::optional<JsonDocument> JsonDocument::Parse(std::string text, std::string name,
                                                Problems& problems) {
  JsonDocument document(std::move(text), std::move(name));
  if (!document.Build(problems)) {
    return std::nullopt;
  }
  return document;
}

std::optional<JsonDocument> JsonDocument::ReadFile(const std::string& path, Problems& problems,
                                                   const FileKind& kind) {
  const std::string name = path == platform::kStdinName ? "stdin" : path;
  std::string text;
  try {
    text = platform::ReadInput(path, {.largest = kind.largest});
  } catch (const platform::ReadError& error) {
    problems.Add(Escaped(name, kLongestName), "", error.what());
    return std::nullopt;
  }
  return Parse(std::move(text), name, problems);
}

bool NestsDeeperThan(std::string_view text, std::size_t levels) noexcept {
  std::size_t depth = 0;
  bool is_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (is_string) {
      i += c == '\\' ? 1U : 0U;
      is_string = c != '"';
    } else if (c == '"') {
      is_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > levels) {
        return true;
      }
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return false;
}

}  // namespace schedbench::config
