#include "workloads/parts/http_head.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <system_error>

namespace schedbench::workloads {

namespace {

bool EqualNoCase(std::string_view one, std::string_view other) {
  return std::ranges::equal(one, other, [](char a, char b) {
    return std::tolower(static_cast<unsigned char>(a)) ==
           std::tolower(static_cast<unsigned char>(b));
  });
}

std::string_view Trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) {
    return {};
  }
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

}  // namespace

std::optional<HttpHead> ParseHttpHead(std::string_view text) {
  constexpr std::string_view kEndOfLine = "\r\n";
  const std::size_t end = text.find("\r\n\r\n");
  if (end == std::string_view::npos) {
    return std::nullopt;
  }
  HttpHead head{.first_line = text.substr(0, text.find(kEndOfLine)), .bytes = end + 4};
  head.keeps_alive = head.first_line.find("HTTP/1.0") == std::string_view::npos;
  bool has_length = false;
  std::string_view fields = text.substr(0, end + 2);
  for (;;) {
    fields.remove_prefix(fields.find(kEndOfLine) + kEndOfLine.size());
    if (fields.empty()) {
      return head;
    }
    const std::string_view line = fields.substr(0, fields.find(kEndOfLine));
    const std::string_view name = line.substr(0, line.find(':'));
    if (name.empty() || name.size() == line.size() ||
        name.find_first_of(" \t") != std::string_view::npos) {
      head.is_framed = false;
      continue;
    }
    const std::string_view value = Trimmed(line.substr(name.size() + 1));
    if (EqualNoCase(name, "Content-Length")) {
      const char* const last = value.data() + value.size();
      const auto [stop, error] = std::from_chars(value.data(), last, head.content_length);
      head.is_framed = head.is_framed && !has_length && error == std::errc() && stop == last;
      has_length = true;
    } else if (EqualNoCase(name, "Transfer-Encoding")) {
      head.is_framed = false;
    } else if (EqualNoCase(name, "Connection")) {
      head.keeps_alive =
          EqualNoCase(value, "keep-alive") || (head.keeps_alive && !EqualNoCase(value, "close"));
    }
  }
}

}  // namespace schedbench::workloads
