#pragma once

#include <string>
#include <string_view>

namespace schedbench::profile {

// A page that `make page` has built, with JSON in its place for data, as text that cannot end the block that it is in.
// Requires: the page has the place.
std::string PageWithData(std::string_view page, std::string_view json);

}  // namespace schedbench::profile
