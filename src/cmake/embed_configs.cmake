# schedbench_embed_configs(target): compiles the files configs/*.json into the target, which then defines
# registry::ShippedConfigs(). A changed, added or removed config is noticed by the next build.
function(schedbench_embed_configs target)
  set(output ${PROJECT_BINARY_DIR}/generated/shipped_configs.cpp)
  set(script ${PROJECT_SOURCE_DIR}/src/cmake/write_shipped_configs.cmake)
  file(GLOB configs CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/configs/*.json)
  add_custom_command(
    OUTPUT ${output}
    COMMAND ${CMAKE_COMMAND} -D OUTPUT=${output} -P ${script} -- ${configs}
    DEPENDS ${configs} ${script}
    COMMENT "Embedding configs/*.json"
    VERBATIM)
  target_sources(${target} PRIVATE ${output})
endfunction()
