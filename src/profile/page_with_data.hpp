#pragma once

#include <string>
#include <string_view>

namespace schedbench::profile {

// Returns a page of `make page` with JSON in its slot for data, as text that cannot end its block.
// Requires: the page has the slot.
std::string PageWithData(std::string_view page, std::string_view json);

}  // namespace schedbench::profile
