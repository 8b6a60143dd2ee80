#include "platform/files/gzip.hpp"

#include "platform/files/input_file.hpp"

#include <fmt/core.h>
#define ZLIB_CONST  // next_in points to const
#include <zlib.h>

#include <algorithm>
#include <array>
#include <limits>

namespace schedbench::platform {

namespace {

constexpr std::string_view kMagic = "\x1f\x8b";

// Owns the state of zlib.
class Inflater {
 public:
  Inflater() {
    constexpr int kGzipOnly = 16;  // as the manual of inflateInit2() says
    if (::inflateInit2(&stream_, MAX_WBITS + kGzipOnly) != Z_OK) {
      throw ReadError("cannot be inflated: there is not enough memory");
    }
  }

  ~Inflater() {
    ::inflateEnd(&stream_);
  }

  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;

  // Appends the content of one member, and removes the member from `bytes`.
  void Member(std::string_view& bytes, std::string& text, std::size_t largest) {
    std::array<char, 65536> piece;
    ::inflateReset(&stream_);
    int status = Z_OK;
    while (status != Z_STREAM_END) {
      const std::size_t given =
          std::min<std::size_t>(bytes.size(), std::numeric_limits<uInt>::max());
      const std::size_t room = std::min(piece.size(), largest + 1 - text.size());
      stream_.next_in = reinterpret_cast<const Bytef*>(bytes.data());
      stream_.avail_in = static_cast<uInt>(given);
      stream_.next_out = reinterpret_cast<Bytef*>(piece.data());
      stream_.avail_out = static_cast<uInt>(room);
      status = ::inflate(&stream_, Z_NO_FLUSH);
      text.append(piece.data(), room - stream_.avail_out);
      bytes.remove_prefix(given - stream_.avail_in);
      if (text.size() > largest) {
        throw ReadError(
            fmt::format("is larger than {} MiB when it is inflated (gzip)", largest >> 20U));
      }
      if (status == Z_BUF_ERROR || (status == Z_OK && bytes.empty() && stream_.avail_out > 0)) {
        throw ReadError("is a damaged gzip file: it ends early");
      }
      if (status != Z_OK && status != Z_STREAM_END) {
        throw ReadError(fmt::format("is a damaged gzip file: {}",
                                    stream_.msg != nullptr ? stream_.msg : "bad data"));
      }
    }
  }

 private:
  z_stream stream_{};
};

}  // namespace

bool IsGzip(std::string_view bytes) noexcept {
  return bytes.starts_with(kMagic);
}

std::string Inflated(std::string_view bytes, std::size_t largest) {
  std::string text;
  Inflater inflater;
  do {
    inflater.Member(bytes, text, largest);
  } while (IsGzip(bytes));
  if (bytes.find_first_not_of('\0') != std::string_view::npos) {  // tapes pad with zeros
    throw ReadError("is a damaged gzip file: other bytes follow its end");
  }
  text.shrink_to_fit();
  return text;
}

}  // namespace schedbench::platform
