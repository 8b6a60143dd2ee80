#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace schedbench::config {

// Returns the files that the fields name, without empty names.
std::vector<std::string> FilesOf(const Settings& settings);

}  // namespace schedbench::config
