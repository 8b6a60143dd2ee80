# What other programs link, the same in a build and installed:
#   schedbench::fibers   fibers, executors, futures, coroutines and the scheduler `fast`, without the tool
#   schedbench::main     the whole tool with its schedulers and workloads, and main() for a program that has none
add_library(schedbench_fibers_package STATIC $<TARGET_OBJECTS:schedbench_fibers> $<TARGET_OBJECTS:schedbench_fast>)
target_link_libraries(schedbench_fibers_package PUBLIC schedbench_usage)
add_library(schedbench::fibers ALIAS schedbench_fibers_package)

# In this order: of an inline function that several objects have, the linker keeps the first, which must be the optimized one.
add_library(schedbench_tool_package STATIC
  $<TARGET_OBJECTS:schedbench_fibers> $<TARGET_OBJECTS:schedbench_fast> $<TARGET_OBJECTS:schedbench_core>
  $<TARGET_OBJECTS:schedbench_schedulers> $<TARGET_OBJECTS:schedbench_workloads> $<TARGET_OBJECTS:schedbench_formats>
  $<TARGET_OBJECTS:schedbench_config> $<TARGET_OBJECTS:schedbench_generated> $<TARGET_OBJECTS:schedbench_harness>
  $<TARGET_OBJECTS:schedbench_history> $<TARGET_OBJECTS:schedbench_commands> $<TARGET_OBJECTS:schedbench_tool>)
if(SCHEDBENCH_ALLOCATOR STREQUAL "mimalloc")
  add_library(schedbench_new OBJECT platform/memory/mimalloc_new.cpp)
  target_link_libraries(schedbench_new PRIVATE schedbench_flags)
  target_sources(schedbench_tool_package PRIVATE $<TARGET_OBJECTS:schedbench_new>)
endif()
target_link_libraries(schedbench_tool_package PUBLIC schedbench_usage backtrace benchmark::benchmark ncursesw tinfo sqlite3)
add_library(schedbench::tool ALIAS schedbench_tool_package)

# Apart from the rest, which is linked whole: a program may have a main() of its own.
add_library(schedbench_entry_package STATIC $<TARGET_OBJECTS:schedbench_main>)

add_library(schedbench_main_package INTERFACE)
# Whole, because nothing refers to the registrations of schedulers and workloads. By the name that it has installed too: an
# export does not translate names in this expression.
target_link_libraries(schedbench_main_package INTERFACE schedbench_usage
  schedbench_allocator $<LINK_LIBRARY:WHOLE_ARCHIVE,schedbench::tool> schedbench_entry_package)
add_library(schedbench::main ALIAS schedbench_main_package)

set(packaged schedbench_fibers_package schedbench_tool_package schedbench_entry_package)
foreach(target IN LISTS packaged)
  string(REGEX REPLACE "^schedbench_(.*)_package$" "\\1" name ${target})
  # In a folder of their own: libraries of the build have the same names.
  set_target_properties(${target} PROPERTIES LINKER_LANGUAGE CXX EXPORT_NAME ${name} OUTPUT_NAME schedbench_${name}
    ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/package)
endforeach()
set_target_properties(schedbench_main_package PROPERTIES EXPORT_NAME main)
set_target_properties(schedbench_usage PROPERTIES EXPORT_NAME usage)
set_target_properties(schedbench_allocator PROPERTIES EXPORT_NAME allocator)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()  # the project around this one decides what it installs
endif()

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(headers_dir ${CMAKE_INSTALL_INCLUDEDIR}/schedbench)
set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/schedbench)
target_include_directories(schedbench_usage INTERFACE $<INSTALL_INTERFACE:${headers_dir}>)

# The man pages, and the scripts by which shells complete.
set(documents ${PROJECT_BINARY_DIR}/package/documents)
add_custom_command(
  OUTPUT ${documents}/done
  COMMAND ${CMAKE_COMMAND} -D TOOL=$<TARGET_FILE:schedbench> -D OUTPUT=${documents}
          -P ${PROJECT_SOURCE_DIR}/src/cmake/write_documents.cmake
  DEPENDS schedbench ${PROJECT_SOURCE_DIR}/src/cmake/write_documents.cmake
  COMMENT "Writing man pages and completions"
  VERBATIM)

# All that `cmake --install` copies.
add_custom_target(install_files DEPENDS ${documents}/done ${packaged})

install(TARGETS schedbench RUNTIME COMPONENT tool)
if(SCHEDBENCH_SANITIZE STREQUAL "")
  add_dependencies(install_files schedbench_simulator)
  install(PROGRAMS ${PROJECT_BINARY_DIR}/schedbench-simulator DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT tool)
endif()
install(DIRECTORY ${documents}/man/ DESTINATION ${CMAKE_INSTALL_MANDIR}/man1 COMPONENT tool)
# In the folders of the source tree, so that their links to each other hold.
install(FILES ${PROJECT_SOURCE_DIR}/README.md ${PROJECT_SOURCE_DIR}/CHANGELOG.md DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/configs/schema DESTINATION ${CMAKE_INSTALL_DOCDIR}/configs COMPONENT tool)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/flamegraph/pictures DESTINATION ${CMAKE_INSTALL_DOCDIR}/flamegraph COMPONENT tool)
install(FILES ${documents}/schedbench.bash RENAME schedbench
  DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions COMPONENT tool)
install(FILES ${documents}/schedbench.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d COMPONENT tool)
# Where Debian's zsh looks: in another folder below /usr than below /usr/local.
install(CODE "
  set(zsh site-functions)
  if(CMAKE_INSTALL_PREFIX STREQUAL \"/usr\")
    set(zsh vendor-completions)
  endif()
  file(INSTALL \"${documents}/_schedbench\" DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${CMAKE_INSTALL_DATADIR}/zsh/\${zsh}\")
  " COMPONENT tool)
install(TARGETS ${packaged} schedbench_main_package schedbench_usage schedbench_allocator
  EXPORT schedbench ARCHIVE COMPONENT dev)
install(EXPORT schedbench NAMESPACE schedbench:: DESTINATION ${config_dir} FILE schedbench-targets.cmake COMPONENT dev)
configure_package_config_file(${PROJECT_SOURCE_DIR}/src/cmake/schedbench-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/schedbench-config.cmake INSTALL_DESTINATION ${config_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/schedbench-config-version.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/schedbench-config.cmake
  ${PROJECT_BINARY_DIR}/package/schedbench-config-version.cmake DESTINATION ${config_dir} COMPONENT dev)
install(CODE "set(SOURCE \"${PROJECT_SOURCE_DIR}\")\nset(HEADERS_DIR \"${headers_dir}\")" COMPONENT dev)
install(SCRIPT ${PROJECT_SOURCE_DIR}/src/cmake/install_headers.cmake COMPONENT dev)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT dev)

# The Debian packages: schedbench is the tool, schedbench-dev what programs are built with.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "schedbench <schedbench@localhost>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES OFF)  # profiles name functions by -g1
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tool dev)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_TOOL_PACKAGE_NAME schedbench)
set(CPACK_COMPONENT_TOOL_DESCRIPTION "measures user-space fiber schedulers")
set(CPACK_DEBIAN_TOOL_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOL_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_DEV_PACKAGE_NAME schedbench-dev)
set(CPACK_COMPONENT_DEV_DESCRIPTION "fibers and the parts of schedbench, for programs of your own")
set(CPACK_DEBIAN_DEV_PACKAGE_SECTION libdevel)
schedbench_group(link CPACK_DEBIAN_DEV_PACKAGE_DEPENDS)
schedbench_minimum(cmake cmake_minimum)
set(CPACK_DEBIAN_DEV_PACKAGE_RECOMMENDS "cmake (>= ${cmake_minimum})")
include(CPack)
