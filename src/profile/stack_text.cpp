#include "profile/stack_text.hpp"

#include "config/input_error.hpp"
#include "config/quote.hpp"
#include "profile/folded_reader.hpp"
#include "profile/perf_reader.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace schedbench::profile {

namespace {

// The start of a binary format, what it is, and what to do.
struct Binary {
  std::string_view magic;
  std::string_view name;
  std::string_view advice;
};

constexpr std::array<Binary, 5> kBinaries = {
    {{"PERFILE2", "the data of perf record", "perf script -i {0} > {0}.txt"},
     {"\x28\xb5\x2f\xfd", "compressed by zstd", "zstd -dc {0} > {0}.txt"},
     {"\xfd"
      "7zXZ",
      "compressed by xz", "xz -dc {0} > {0}.txt"},
     {"\x0a", "a trace of Perfetto or a profile of pprof",
      "traceconv profile {0}, or: pprof -traces {0}"},
     {"", "a binary file", "convert it to folded stacks"}}};

// Refuses binary data, without printing a byte of it.
void RefuseBinary(std::string_view text, std::string_view file) {
  const bool is_binary = text.substr(0, 65536).find('\0') != std::string_view::npos;
  const auto known = std::ranges::find_if(kBinaries, [&](const Binary& binary) {
    // A text may begin with letters, or with an empty line.
    const bool is_sure = binary.magic.size() > 1 && !config::IsPrintable(binary.magic);
    return text.starts_with(binary.magic) && (is_binary || is_sure);
  });
  if (known != kBinaries.end()) {
    throw config::InputError(
        fmt::format("{}: this is {}, not text    {}", file, known->name,
                    fmt::format(fmt::runtime(known->advice), file == "stdin" ? "FILE" : file)));
  }
}

void AppendUtf8(std::string& out, std::uint32_t code) {
  if (code < 0x80) {
    out += static_cast<char>(code);
    return;
  }
  const int more = code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
  constexpr std::array<unsigned, 4> kLead = {0, 0xC0, 0xE0, 0xF0};
  out += static_cast<char>(kLead[static_cast<std::size_t>(more)] | code >> (6 * more));
  for (int i = more - 1; i >= 0; --i) {
    out += static_cast<char>(0x80U | (code >> (6 * i) & 0x3FU));
  }
}

// Converts UTF-16 text after its byte order mark, as PowerShell writes it.
std::string FromUtf16(std::string_view text, bool is_big) {
  const auto unit = [&](std::size_t i) -> std::uint32_t {
    const auto first = static_cast<unsigned char>(text[i]);
    const auto second = static_cast<unsigned char>(text[i + 1]);
    return is_big ? first << 8U | second : second << 8U | first;
  };
  std::string utf8;
  for (std::size_t i = 0; i + 1 < text.size(); i += 2) {
    std::uint32_t code = unit(i);
    if (code >= 0xD800 && code < 0xE000) {
      const std::uint32_t low = code < 0xDC00 && i + 3 < text.size() ? unit(i + 2) : 0;
      const bool is_pair = low >= 0xDC00 && low < 0xE000;
      code = is_pair ? 0x10000 + ((code - 0xD800) << 10U) + (low - 0xDC00) : 0xFFFD;
      i += is_pair ? 2 : 0;
    }
    AppendUtf8(utf8, code);
  }
  return utf8;
}

}  // namespace

void LeftOut::Count(std::string_view kinds, std::size_t line, std::string_view text) {
  const auto known = kinds_.find(kinds);
  if (known != kinds_.end()) {
    ++known->second.count;
    return;
  }
  kinds_.emplace(
      kinds,
      Kind{.count = 1, .line = line, .text = text.empty() ? "" : ": " + config::Quoted(text)});
}

std::vector<std::string> LeftOut::Texts() const {
  std::vector<std::string> texts;
  for (const auto& [kinds, kind] : kinds_) {
    texts.push_back(
        fmt::format("{}: {}, the first in line {}{}", kinds, kind.count, kind.line, kind.text));
  }
  return texts;
}

void AddWeight(FoldedStacks& stacks, std::string stack, std::uint64_t weight,
               std::string_view file) {
  std::uint64_t& sum = stacks[std::move(stack)];
  if (weight > std::numeric_limits<std::uint64_t>::max() - sum) {
    throw config::InputError(
        fmt::format("{}: the sum of the weights of one stack does not fit into 64 bits", file));
  }
  sum += weight;
}

StackText ReadStackText(std::string_view text, std::string_view file) {
  std::string utf8;
  if (const bool is_big = text.starts_with("\xfe\xff"); is_big || text.starts_with("\xff\xfe")) {
    text = utf8 = FromUtf16(text.substr(2), is_big);
  } else if (text.starts_with("\xef\xbb\xbf")) {
    text.remove_prefix(3);
  }
  RefuseBinary(text, file);
  const std::size_t begin = std::min(text.find_first_not_of(" \t\r\n"), text.size());
  const std::string_view start = text.substr(begin, 256);
  const std::size_t after_brace = start.find_first_not_of("{[ \t\r\n");
  const bool is_json = (start.starts_with('{') || start.starts_with("[{")) &&
                       after_brace != std::string_view::npos && start[after_brace] == '"';
  if (is_json || start.starts_with("<!") || start.starts_with("<?xml") ||
      start.starts_with("<svg")) {
    throw config::InputError(
        fmt::format("{}: this is {}, not stacks    use the .folded or .perf.txt of the same run",
                    file, is_json ? "JSON" : "a page"));
  }
  return IsPerfScript(text) ? FoldPerfScript(text, file) : ParseFolded(text, file);
}

}  // namespace schedbench::profile
