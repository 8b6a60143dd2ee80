# Runs when the project is installed: copies the headers that programs include, and all that these include, below
# HEADERS_DIR. SOURCE: the folder of the project.
cmake_policy(VERSION 3.25)
set(public
  cli/main.hpp
  config/schema_of.hpp
  coroutines/await_future.hpp
  coroutines/in_fiber.hpp
  coroutines/spawn.hpp
  coroutines/task.hpp
  executors/inline_executor.hpp
  executors/manual_executor.hpp
  executors/strand.hpp
  executors/submit.hpp
  fibers/files/file.hpp
  fibers/fork/fork_join.hpp
  fibers/fork/parallel_for.hpp
  fibers/fork/task_scope.hpp
  fibers/sched/blocking.hpp
  fibers/net/pipe.hpp
  fibers/net/poller.hpp
  fibers/net/tcp.hpp
  fibers/net/udp_socket.hpp
  fibers/net/unix_socket.hpp
  fibers/sched/fiber_local.hpp
  fibers/sched/go.hpp
  fibers/sched/preempt.hpp
  fibers/sched/sleep.hpp
  fibers/sched/yield.hpp
  fibers/sync/channel.hpp
  fibers/sync/cond_var.hpp
  fibers/sync/event.hpp
  fibers/sync/mutex.hpp
  fibers/sync/rw_lock.hpp
  fibers/sync/select.hpp
  fibers/sync/semaphore.hpp
  fibers/sync/wait_group.hpp
  futures/combine.hpp
  futures/future.hpp
  futures/submit.hpp
  futures/then.hpp
  graph/analysis.hpp
  graph/graph_file.hpp
  graph/recorder.hpp
  registry/runtime.hpp
  registry/workload.hpp
  schedulers/fast/make_pool.hpp
  schedulers/pool/observed_scheduler.hpp
  schedulers/pool/worker_pool.hpp
  schedulers/queues/global_queue.hpp
  schedulers/queues/work_stealing_queue.hpp)

set(waiting ${public})
set(headers)
while(waiting)
  list(POP_FRONT waiting header)
  if(header IN_LIST headers)
    continue()
  endif()
  list(APPEND headers ${header})
  set(path ${SOURCE}/src/${header})
  if(NOT EXISTS ${path})
    set(path ${SOURCE}/${header})
  endif()
  get_filename_component(folder ${header} DIRECTORY)
  file(INSTALL ${path} DESTINATION ${CMAKE_INSTALL_PREFIX}/${HEADERS_DIR}/${folder})
  file(STRINGS ${path} lines REGEX "^#include \"")
  foreach(line IN LISTS lines)
    string(REGEX REPLACE "^#include \"([^\"]*)\".*" "\\1" included ${line})
    list(APPEND waiting ${included})
  endforeach()
endwhile()
