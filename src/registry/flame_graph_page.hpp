#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::registry {

// The page that shows flame graphs, without data (profile/graph_page.hpp). Empty where the tool was built before `make page`.
std::string_view FlameGraphPage() noexcept;

}  // namespace schedbench::registry
