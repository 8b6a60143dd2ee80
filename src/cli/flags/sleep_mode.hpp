#pragma once

#include "cli/flags/flag.hpp"

#include <array>
#include <string_view>

namespace schedbench::cli {

inline constexpr std::array<std::string_view, 3> kSleepModes{"faithful", "slack1", "spin"};
inline constexpr auto kSleepModeFlag =
    TextFlag{"--mode", "", "MODE",
             "How tasks of the toucan report pass 2 ns: faithful, which sleeps as published, "
             "slack1 or spin"}
        .Checked(OneOf(kSleepModes))
        .Default("faithful");

}  // namespace schedbench::cli
