#pragma once

#include "profile/sampling/stack_profile.hpp"
#include "profile/text_sink.hpp"

#include <string_view>

namespace schedbench::profile {

// Writes the format of speedscope (https://www.speedscope.app/file-format-schema.json): a profile
// of each worker in the order of time, with the true weight of each sample and unchanged names. The
// name of the file must be *.speedscope.json.
void WriteSpeedscope(const StackProfile& profile, std::string_view title, const TextSink& sink);

}  // namespace schedbench::profile
