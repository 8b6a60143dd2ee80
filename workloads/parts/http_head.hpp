#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace schedbench::workloads {

// The head of an HTTP/1.1 message: its first line and its fields, up to the empty line.
struct HttpHead {
  std::string_view first_line;
  std::size_t bytes = 0;           // with the empty line
  std::size_t content_length = 0;  // of the body that follows
  bool keeps_alive = true;         // the connection stays open after the message
};

// Parses the head at the begin of `text`. None: the empty line has not come yet. Content-Length that is no number counts as 0.
std::optional<HttpHead> ParseHttpHead(std::string_view text);

}  // namespace schedbench::workloads
