#pragma once

#include <cstddef>
#include <string_view>

namespace schedbench::registry {

// Pages without data (profile::PageWithData()). Empty where the tool was built before `make page`.
std::string_view FlameGraphPage() noexcept;
std::string_view TimelinePage() noexcept;

}  // namespace schedbench::registry
