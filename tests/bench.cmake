# The benchmarks of `make bench`: built where Google Benchmark is installed, with or without the tests.

add_executable(bench_queues ${CMAKE_SOURCE_DIR}/tests/schedulers/queues/bench.cpp)
target_link_libraries(bench_queues PRIVATE schedbench_core benchmark::benchmark)

add_executable(bench_executors ${CMAKE_SOURCE_DIR}/tests/executors/bench.cpp)
target_link_libraries(bench_executors PRIVATE schedbench_schedulers benchmark::benchmark_main)

add_executable(bench_schedulers ${CMAKE_SOURCE_DIR}/tests/schedulers/bench.cpp
  ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/contender.cpp
  ${CMAKE_SOURCE_DIR}/tests/schedulers/bench/every_scheduler.cpp)
target_link_libraries(bench_schedulers PRIVATE schedbench_schedulers schedbench_workloads)
if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
  target_link_libraries(bench_schedulers PRIVATE mimalloc)
endif()
