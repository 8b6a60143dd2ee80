# Usage: cmake -D OUTPUT=file.cpp -P write_shipped_configs.cmake -- config.json...
# Writes every file as ordinary string literals, one per line of its text: unlike a raw string, they have no
# delimiter that the text could contain. Lines end with \n whatever they end with in the file.
cmake_minimum_required(VERSION 3.25)
set(entries "")
set(count 0)
set(is_config FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(is_config)
    set(path "${CMAKE_ARGV${i}}")
    get_filename_component(name "${path}" NAME)
    file(READ "${path}" text)
    string(REPLACE "\\" "\\\\" text "${text}")
    string(REPLACE "\"" "\\\"" text "${text}")
    string(REPLACE "??" "?\\?" text "${text}")  # no trigraphs
    string(REPLACE "\t" "\\t" text "${text}")
    string(REPLACE "\n" "\\n\"\n     \"" text "${text}")
    string(APPEND entries "    {\"${name}\",\n     \"${text}\"},\n")
    math(EXPR count "${count} + 1")
  elseif(CMAKE_ARGV${i} STREQUAL "--")
    set(is_config TRUE)
  endif()
endforeach()

file(WRITE "${OUTPUT}" "// Generated from configs/ by src/cmake/write_shipped_configs.cmake.
#include \"registry/shipped_configs.hpp\"

#include <array>

namespace schedbench::registry {
namespace {

constexpr std::array<ShippedConfig, ${count}> kShippedConfigs{{
${entries}}};

}  // namespace

std::span<const ShippedConfig> ShippedConfigs() {
  return kShippedConfigs;
}

}  // namespace schedbench::registry
")
