#pragma once

#include <boost/asio/version.hpp>
#include <fmt/core.h>

#include <string>
#include <string_view>

namespace schedbench::schedulers::peers {

// "1.26.0".
inline std::string_view AsioVersion() {
  // As documented in its header: two digits for the patch, three for the minor version.
  static const std::string text =
      fmt::format("{}.{}.{}", BOOST_ASIO_VERSION / 100000, BOOST_ASIO_VERSION / 100 % 1000,
                  BOOST_ASIO_VERSION % 100);
  return text;
}

}  // namespace schedbench::schedulers::peers
