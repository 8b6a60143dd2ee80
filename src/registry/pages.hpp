#pragma once

#include <string_view>

namespace schedbench::registry {

// Return pages for profile::PageWithData(); empty if the tool was built before `make page`.
std::string_view FlameGraphPage() noexcept;
std::string_view TimelinePage() noexcept;
std::string_view ChartPage() noexcept;

// The message for empty pages. The tool may be installed far from its sources.
inline constexpr std::string_view kNoPages =
    "this schedbench was built without pages    install node and build schedbench again: make "
    "build";

}  // namespace schedbench::registry
