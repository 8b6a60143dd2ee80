#include "config/json_document.hpp"

#include "config/json_tree_builder.hpp"
#include "config/quote.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

namespace schedbench::config {

namespace {

constexpr std::size_t kLongestName = 4096;  // PATH_MAX: a file's name is never cut

// Appends the steps from `node` to `wanted`; false when it is not below.
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

std::string ReadError(int error) {
  return fmt::format("cannot be read: {}", std::generic_category().message(error));
}

}  // namespace

const JsonNode* JsonNode::Find(std::string_view key) const {
  const auto found = std::find_if(members.begin(), members.end(), [&](const JsonMember& member) {
    return member.key == key;
  });
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
  if (!JsonTreeBuilder(document, problems).Build()) {
    return std::nullopt;
  }
  return document;
}

std::optional<JsonDocument> JsonDocument::ReadFile(const std::string& path, Problems& problems,
                                                   const FileKind& kind) {
  const auto refuse = [&](const std::string& message) {
    problems.Add(Escaped(path, kLongestName), "", message);
    return std::nullopt;
  };
  std::error_code status_error;
  if (std::filesystem::is_directory(path, status_error)) {
    return refuse(fmt::format("is a directory; a {} is a file", kind.name));
  }
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    return refuse(ReadError(errno));
  }
  // Piece by piece, and one byte more than allowed, which detects a file that is too large, whatever its size claims
  // (/dev/zero).
  constexpr std::size_t kPiece = std::size_t{1} << 20;
  std::string text;
  while (file && text.size() <= kind.largest) {
    const std::size_t before = text.size();
    text.resize(std::min(before + kPiece, kind.largest + 1));
    file.read(text.data() + before, static_cast<std::streamsize>(text.size() - before));
    text.resize(before + static_cast<std::size_t>(file.gcount()));
  }
  if (file.bad()) {
    return refuse(ReadError(errno));
  }
  if (text.size() > kind.largest) {
    return refuse(fmt::format("is larger than {} MiB; is it a {}?", kind.largest >> 20, kind.name));
  }
  text.shrink_to_fit();
  return Parse(std::move(text), path, problems);
}

}  // namespace schedbench::config
