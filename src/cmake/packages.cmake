# Reads docs/packages.md, the only list of packages and of their minimum versions.
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/docs/packages.md)
file(STRINGS ${PROJECT_SOURCE_DIR}/docs/packages.md schedbench_packages REGEX "^\\| [a-z]+ \\|")

# Sets `result` to the minimum version of a package, without Debian's epoch.
function(schedbench_minimum package result)
  string(REPLACE "+" "\\+" pattern ${package})  # g++
  if(NOT "${schedbench_packages}" MATCHES "[ |]${pattern} \\(>= ([0-9]+:)?([0-9.]+)\\)")
    message(FATAL_ERROR "docs/packages.md has no minimum version of ${package}")
  endif()
  set(${result} ${CMAKE_MATCH_2} PARENT_SCOPE)
endfunction()

# Sets `result` to the packages of a group, as a Debian package lists what it depends on.
function(schedbench_group group result)
  set(dependencies)
  foreach(row IN LISTS schedbench_packages)
    if(row MATCHES "^\\| ${group} \\|[^|]*\\| ([^|]*) \\|")
      string(REPLACE " or " " | " packages "${CMAKE_MATCH_1}")
      list(APPEND dependencies "${packages}")
    endif()
  endforeach()
  list(JOIN dependencies ", " dependencies)
  set(${result} "${dependencies}" PARENT_SCOPE)
endfunction()

# Finds a library of at least the version that the table has for its package. find_package() with a version would refuse newer
# major versions of some.
macro(schedbench_find library package)
  schedbench_minimum(${package} ${library}_minimum)
  find_package(${library} REQUIRED ${ARGN})
  if(${library}_VERSION VERSION_LESS ${library}_minimum)
    message(FATAL_ERROR "${library} ${${library}_VERSION} is too old: ${package} has to be ${${library}_minimum} or newer. "
      "Debian 12, Debian 13 and Ubuntu 24.04 have it.")
  endif()
endmacro()
