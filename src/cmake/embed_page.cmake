# schedbench_embed_page(target name function): compiles build/flamegraph/NAME.html, which `make page` builds by npm, into the
# target, which then defines registry::FUNCTION(). Without it the text is empty, and the tool says what to do: measuring needs
# no node.
function(schedbench_embed_page target name function)
  set(page ${PROJECT_SOURCE_DIR}/build/flamegraph/${name}.html)
  set(output ${PROJECT_BINARY_DIR}/generated/${name}.cpp)
  if(EXISTS ${page})
    set(content ".incbin \\\"${page}\\\"")
    # In the text, because a compiler cache does not see what the assembler reads.
    file(SHA256 ${page} hash)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${page})
  else()
    set(content "")
  endif()
  configure_file(${PROJECT_SOURCE_DIR}/src/cmake/embedded_page.cpp.in ${output} @ONLY)
  target_sources(${target} PRIVATE ${output})
endfunction()
