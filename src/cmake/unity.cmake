# What makes compiling cheap. Most of what a source costs is its headers; so the sources of a folder are compiled as one
# file, and the headers of libraries are read once for all targets. SCHEDBENCH_UNITY=OFF compiles each source alone.

# schedbench_unity(target DEPTH [MOST n] [JSON folder] [TOGETHER folders...]): a folder is the first DEPTH parts of a source's
# path in the project. MOST: a file has at most n sources. JSON: sources that include nlohmann/json.hpp join the file of this
# folder, because each file that includes it compiles its templates again. TOGETHER: these small folders share one file. Both
# name a folder by its last part.
function(schedbench_unity target depth)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "MOST;JSON" "TOGETHER")
  if(NOT arg_MOST)
    set(arg_MOST 1000)
  endif()
  if(NOT SCHEDBENCH_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  get_target_property(base ${target} SOURCE_DIR)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${base} OUTPUT_VARIABLE path)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${path}" generated)
    if(generated)
      continue()
    endif()
    cmake_path(RELATIVE_PATH path BASE_DIRECTORY ${PROJECT_SOURCE_DIR} OUTPUT_VARIABLE relative)
    cmake_path(GET relative PARENT_PATH folder)
    string(REPLACE "/" ";" parts "${folder}")
    list(SUBLIST parts 0 ${depth} parts)
    list(POP_BACK parts last)
    if(arg_JSON)
      file(STRINGS ${path} json REGEX "^#include <nlohmann/json.hpp>" LIMIT_COUNT 1)
      if(json)
        set(last ${arg_JSON})
      endif()
    endif()
    if(last IN_LIST arg_TOGETHER)
      set(last together)
    endif()
    list(APPEND parts ${last})
    list(JOIN parts "_" group)
    math(EXPR batch "0${size_${group}} / ${arg_MOST}")
    math(EXPR size_${group} "0${size_${group}} + 1")
    set_property(SOURCE ${source} PROPERTY UNITY_GROUP ${group}_${batch})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# schedbench_precompile(target others...): reads these headers once for all of the targets, which have the same flags.
function(schedbench_precompile target)
  if(NOT SCHEDBENCH_UNITY)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE
    <algorithm> <array> <atomic> <chrono> <functional> <map> <memory> <optional> <span> <string> <string_view> <utility>
    <variant> <vector> <fmt/format.h>)
  foreach(other IN LISTS ARGN)
    target_precompile_headers(${other} REUSE_FROM ${target})
  endforeach()
endfunction()
