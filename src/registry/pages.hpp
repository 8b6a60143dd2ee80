#pragma once

#include <string_view>

namespace schedbench::registry {

// Pages without data (profile::PageWithData()). Empty where the tool was built before `make page`.
std::string_view FlameGraphPage() noexcept;
std::string_view TimelinePage() noexcept;
std::string_view ChartPage() noexcept;

// The message where they are empty. The tool may be installed far from its sources.
inline constexpr std::string_view kNoPages =
    "this schedbench was built without pages    install node and build schedbench again: make "
    "build";

}  // namespace schedbench::registry
