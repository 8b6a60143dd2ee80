# schedbench_record_build(target measured): the target then defines registry::ThisBuild(), which names the flags of
# the target `measured`.
# The facts of configuring are written when configuring; the git revision is looked up by every build, so that a
# new commit shows without configuring again, and recompiles one small file only when it is another one.
function(schedbench_record_build target measured)
  set(generated ${PROJECT_BINARY_DIR}/generated)
  string(TOUPPER "${CMAKE_BUILD_TYPE}" type)
  string(STRIP "${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${type}}" type_flags)
  set(sanitizer none)
  if(SCHEDBENCH_SANITIZE)
    set(sanitizer ${SCHEDBENCH_SANITIZE})
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/src/cmake/build_info.cpp.in ${generated}/build_info.cpp.part @ONLY)
  # A second step, because options of the target may be generator expressions.
  file(GENERATE OUTPUT ${generated}/build_info.cpp INPUT ${generated}/build_info.cpp.part TARGET ${measured})

  set(header ${generated}/git_revision.hpp)
  add_custom_target(schedbench_revision
    COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D OUTPUT=${header}
            -P ${PROJECT_SOURCE_DIR}/src/cmake/write_git_revision.cmake
    BYPRODUCTS ${header}
    COMMENT "Looking up the git revision"
    VERBATIM)
  add_dependencies(${target} schedbench_revision)
  target_sources(${target} PRIVATE ${generated}/build_info.cpp)
endfunction()
