# The benchmarks of `make bench`: built where Google Benchmark is installed, with or without the tests, but not under
# sanitizers, where speed does not matter. Not a part of `all`.

add_executable(bench_queues EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/schedulers/queues/bench.cpp)
target_link_libraries(bench_queues PRIVATE schedbench_schedulers benchmark::benchmark)

add_executable(bench_executors EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/executors/bench.cpp)
target_link_libraries(bench_executors PRIVATE schedbench_schedulers benchmark::benchmark_main)

# bench_schedulers, and, for what counting costs, the same with pools that count less (SB_COUNT, see
# fewer_counters/metrics/counter.hpp).
get_target_property(pool_sources schedbench_schedulers SOURCES)
function(schedbench_bench_schedulers name)
  add_executable(${name} EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/schedulers/bench.cpp
    ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/contender.cpp
    ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/cost_of_counting.cpp
    ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/every_scheduler.cpp)
  if(ARGC GREATER 1)
    target_sources(${name} PRIVATE ${pool_sources})
    target_include_directories(${name} BEFORE PRIVATE ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/fewer_counters)
    target_compile_definitions(${name} PRIVATE SB_COUNT=${ARGV1})
    target_link_libraries(${name} PRIVATE schedbench_core)
  else()
    target_link_libraries(${name} PRIVATE schedbench_schedulers)
  endif()
  target_link_libraries(${name} PRIVATE schedbench_workloads)
  if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
    target_link_libraries(${name} PRIVATE mimalloc)
  endif()
endfunction()
schedbench_bench_schedulers(bench_schedulers)
schedbench_bench_schedulers(bench_schedulers_idle_counts 1)
schedbench_bench_schedulers(bench_schedulers_uncounted 0)

add_executable(bench_open_loop EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/workloads/open_loop/bench.cpp)
target_link_libraries(bench_open_loop PRIVATE schedbench_tool schedbench_schedulers schedbench_workloads)
if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
  target_link_libraries(bench_open_loop PRIVATE mimalloc)
endif()

# Its agents are itself, with a scheduler and a workload more.
add_executable(bench_compare EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/harness/compare/bench.cpp
  ${CMAKE_SOURCE_DIR}/tests/harness/compare/slowed.cpp)
target_link_libraries(bench_compare PRIVATE schedbench_tool schedbench_schedulers schedbench_workloads)
if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
  target_link_libraries(bench_compare PRIVATE mimalloc)
endif()

add_executable(bench_trace EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/trace/bench.cpp)
target_link_libraries(bench_trace PRIVATE schedbench_formats schedbench_schedulers)
if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
  target_link_libraries(bench_trace PRIVATE mimalloc)
endif()

add_executable(bench_profile EXCLUDE_FROM_ALL ${CMAKE_SOURCE_DIR}/tests/profile/bench.cpp)
target_link_libraries(bench_profile PRIVATE schedbench_formats schedbench_schedulers)
