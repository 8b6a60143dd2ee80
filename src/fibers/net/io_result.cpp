#include "fibers/net/io_result.hpp"

#include "platform/net/socket.hpp"

namespace schedbench::fibers {

std::string IoError::Text() const {
  if (number == 0) {
    return "no error";
  }
  const std::string what = IsClosed() ? "closed by this process" : platform::ErrorText(number);
  return what + " (errno " + std::to_string(number) + ")";
}

}  // namespace schedbench::fibers
