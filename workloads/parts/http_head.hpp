#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace schedbench::workloads {

// The head of an HTTP/1.1 message: its first line and its fields, up to the empty line.
struct HttpHead {
  std::string_view first_line;
  std::size_t bytes = 0;           // with the empty line
  std::size_t content_length = 0;  // length of the following body
  bool keeps_alive = true;         // the connection stays open after the message
  // True if the fields determine the end of the message (RFC 9112, section 6.3). False for a
  // Content-Length that is not one number or occurs twice, for Transfer-Encoding, and for a line
  // that is not a field, such as one with a blank before its colon.
  bool is_framed = true;
};

// Parses the head at the start of `text`. Returns none until the empty line has come.
std::optional<HttpHead> ParseHttpHead(std::string_view text);

}  // namespace schedbench::workloads
