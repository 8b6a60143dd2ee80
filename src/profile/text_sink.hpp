#pragma once

#include <functional>
#include <string_view>

namespace schedbench::profile {

// Takes a text that is too long to keep, part by part.
using TextSink = std::function<void(std::string_view part)>;

}  // namespace schedbench::profile
