# How tests are compiled and how ctest runs them.

# All that `make test` runs; `all` is what `make test-all` runs. Tests of the full tier alone have the label `full`.
add_custom_target(quick_tests)

# The name of this build in the QUICK lists.
set(schedbench_build release)
if(SCHEDBENCH_SANITIZE STREQUAL "address")
  set(schedbench_build asan)
elseif(SCHEDBENCH_SANITIZE STREQUAL "thread")
  set(schedbench_build tsan)
endif()

# What runs a test binary of another machine, and makes it run those that it starts itself.
set(schedbench_emulator)
if(CMAKE_CROSSCOMPILING)
  list(GET CMAKE_CROSSCOMPILING_EMULATOR 0 emulator_program)
  add_library(emulated_exec SHARED support/emulated_exec.cpp)
  target_compile_features(emulated_exec PRIVATE cxx_std_20)
  target_compile_definitions(emulated_exec PRIVATE EMULATOR="${emulator_program}" EMULATED_ROOT="${CMAKE_SYSROOT}"
    PRELOADED="${PROJECT_BINARY_DIR}/tests/libemulated_exec.so")
  add_dependencies(quick_tests emulated_exec)
  set(schedbench_emulator ${PROJECT_SOURCE_DIR}/tests/build/on_one_cpu.sh
    ${CMAKE_CROSSCOMPILING_EMULATOR} -E LD_PRELOAD=${PROJECT_BINARY_DIR}/tests/libemulated_exec.so)
endif()

# schedbench_leave_out(what reason): tests/build/run_tests.sh prints this among the skipped tests.
file(REMOVE ${PROJECT_BINARY_DIR}/left_out.txt)
function(schedbench_leave_out what reason)
  file(APPEND ${PROJECT_BINARY_DIR}/left_out.txt "${what}: ${reason}\n")
endfunction()
set(schedbench_left_out_filter)
if(CMAKE_CROSSCOMPILING)
  include(cmake/emulated.cmake)
endif()

# schedbench_test_executable(name [OPTIMIZED] sources...): a GoogleTest binary. Its sources are compiled in batches, so a name in
# an unnamed namespace must be unique in its batch: most sources have a namespace named after their folder. They are not
# optimized, because compiling them optimized takes longer than running them. OPTIMIZED: the test depends on optimization.
function(schedbench_test_executable name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMIZED" "" "")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE test_support)
  if(NOT arg_OPTIMIZED)
    target_compile_options(${name} PRIVATE -O0)
  endif()
  if(SCHEDBENCH_UNITY)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 16)
    if(NOT arg_OPTIMIZED)
      target_precompile_headers(${name} REUSE_FROM test_support)
    endif()
  endif()
endfunction()

# schedbench_add_suite(binary [QUICK builds...] [SHARDS n] [LABELS ...] [COST s]): entries of ctest, one per shard, that run all
# cases of the binary: in `make test` in the builds that QUICK names (unless given: release), in `make test-all` in all.
# COST: the measured seconds of a shard, where it takes more than three. ctest starts the longest first, and from the second run
# on by its own measurements.
function(schedbench_add_suite binary)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SHARDS;COST" "LABELS;QUICK")
  if(NOT arg_SHARDS)
    set(arg_SHARDS 1)
  endif()
  if(NOT arg_QUICK)
    set(arg_QUICK release)
  endif()
  if(schedbench_build IN_LIST arg_QUICK)
    add_dependencies(quick_tests ${binary})
  else()
    list(APPEND arg_LABELS full)
  endif()
  math(EXPR last "${arg_SHARDS} - 1")
  foreach(shard RANGE ${last})
    set(name ${binary})
    if(arg_SHARDS GREATER 1)
      math(EXPR number "${shard} + 1")
      set(name ${binary}.${number})
    endif()
    add_test(NAME ${name} COMMAND ${PROJECT_SOURCE_DIR}/tests/build/run_suite.sh
      ${name} ${PROJECT_BINARY_DIR}/suites ${schedbench_emulator} $<TARGET_FILE:${binary}>)
    if(arg_COST)
      set_tests_properties(${name} PROPERTIES COST ${arg_COST})
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${arg_LABELS}"
      ENVIRONMENT "GTEST_TOTAL_SHARDS=${arg_SHARDS};GTEST_SHARD_INDEX=${shard}")
    if(schedbench_left_out_filter)
      set_property(TEST ${name} APPEND PROPERTY ENVIRONMENT "GTEST_FILTER=-${schedbench_left_out_filter}")
    endif()
  endforeach()
endfunction()

# schedbench_test_area(area [OPTIMIZED] [QUICK ...] [LABELS ...] [LIBRARIES ...] [SOURCES ...] [EXCEPT ...] [SHARDS n]
# [COST s]): one binary of all *_test.cpp and *_stress.cpp below tests/<area>. LIBRARIES, SOURCES: what the area needs besides.
# EXCEPT: sources that are in another binary.
function(schedbench_test_area area)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OPTIMIZED" "SHARDS;COST" "LABELS;QUICK;LIBRARIES;SOURCES;EXCEPT")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${area}/*_test.cpp ${area}/*_stress.cpp)
  list(REMOVE_ITEM sources ${arg_EXCEPT})
  set(optimized)
  if(arg_OPTIMIZED)
    set(optimized OPTIMIZED)
  endif()
  schedbench_test_executable(${area}_test ${optimized} ${sources} ${arg_SOURCES})
  target_link_libraries(${area}_test PRIVATE ${arg_LIBRARIES})
  schedbench_add_suite(${area}_test QUICK ${arg_QUICK} LABELS ${arg_LABELS} SHARDS ${arg_SHARDS} COST ${arg_COST})
endfunction()
