#pragma once

#include <boost/asio/version.hpp>
#include <fmt/core.h>

#include <string>
#include <string_view>

namespace schedbench::schedulers::peers {

// Returns the version, such as "1.26.0".
inline std::string_view AsioVersion() {
  // Its header documents two digits for the patch and three for the minor version.
  static const std::string text =
      fmt::format("{}.{}.{}", BOOST_ASIO_VERSION / 100000, BOOST_ASIO_VERSION / 100 % 1000,
                  BOOST_ASIO_VERSION % 100);
  return text;
}

}  // namespace schedbench::schedulers::peers
