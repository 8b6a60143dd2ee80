#include "platform/files/gzip.hpp"

#include "platform/files/input_file.hpp"

#include <fmt/core.h>
#define ZLIB_CONST  // makes next_in point to const
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>
#include <memory>

namespace schedbench::platform {

bool IsGzip(std::string_view bytes) noexcept {
  return bytes.starts_with("\x1f\x8b");
}

std::string Inflated(std::string_view bytes, std::size_t largest) {
  constexpr int kGzipOnly = 16;  // from the manual of inflateInit2()
  z_stream stream{};
  if (::inflateInit2(&stream, MAX_WBITS + kGzipOnly) != Z_OK) {
    throw ReadError("cannot be inflated: there is not enough memory");
  }
  const std::unique_ptr<z_stream, int (*)(z_streamp)> owner(&stream, &::inflateEnd);
  std::array<char, 65536> piece;
  std::string text;
  int status = Z_OK;
  while (status == Z_OK || IsGzip(bytes)) {  // a file may have several members
    if (status == Z_STREAM_END) {
      ::inflateReset(&stream);
    }
    const auto given = std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
    const std::size_t room = std::min(piece.size(), largest + 1 - text.size());
    stream.next_in = reinterpret_cast<const Bytef*>(bytes.data());
    stream.avail_in = static_cast<uInt>(given);
    stream.next_out = reinterpret_cast<Bytef*>(piece.data());
    stream.avail_out = static_cast<uInt>(room);
    status = ::inflate(&stream, Z_NO_FLUSH);
    text.append(piece.data(), room - stream.avail_out);
    bytes.remove_prefix(given - stream.avail_in);
    if (text.size() > largest) {
      throw ReadError(
          fmt::format("is larger than {} MiB when it is inflated (gzip)", largest >> 20U));
    }
    if (status == Z_BUF_ERROR || (status == Z_OK && bytes.empty() && stream.avail_out > 0)) {
      throw ReadError("is a damaged gzip file: it ends early");
    }
    if (status != Z_OK && status != Z_STREAM_END) {
      throw ReadError(fmt::format("is a damaged gzip file: {}",
                                  stream.msg != nullptr ? stream.msg : "bad data"));
    }
  }
  if (bytes.find_first_not_of('\0') != std::string_view::npos) {  // tapes pad with zeros
    throw ReadError("is a damaged gzip file: other bytes follow its end");
  }
  text.shrink_to_fit();
  return text;
}

}  // namespace schedbench::platform
