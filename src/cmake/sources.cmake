# schedbench_sources(target folders... [EXCEPT regex]): adds all sources in and below the folders, in the order of the folders. The
# next build finds a new source. EXCEPT: leaves out those whose path matches.
function(schedbench_sources target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "EXCEPT" "")
  foreach(folder IN LISTS arg_UNPARSED_ARGUMENTS)
    cmake_path(ABSOLUTE_PATH folder NORMALIZE)
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${folder}/*.cpp)
    if(arg_EXCEPT)
      list(FILTER sources EXCLUDE REGEX ${arg_EXCEPT})
    endif()
    target_sources(${target} PRIVATE ${sources})
  endforeach()
endfunction()
