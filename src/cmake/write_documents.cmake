# Usage: cmake -D TOOL=schedbench -D OUTPUT=folder -P write_documents.cmake
# Writes the man pages and the completions that the tool prints. `done` is written last.
cmake_minimum_required(VERSION 3.25)

function(write_answer file)
  execute_process(COMMAND ${TOOL} ${ARGN} OUTPUT_VARIABLE text COMMAND_ERROR_IS_FATAL ANY)
  file(WRITE ${OUTPUT}/${file} "${text}")
endfunction()

file(REMOVE_RECURSE ${OUTPUT})
write_answer(schedbench.bash completion bash)
write_answer(_schedbench completion zsh)
write_answer(schedbench.fish completion fish)
write_answer(man/schedbench.1 man)
execute_process(COMMAND ${TOOL} completion candidates -- man "" OUTPUT_VARIABLE commands COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL "[^\n\t]+\t" commands "${commands}")
foreach(command IN LISTS commands)
  string(STRIP "${command}" command)
  write_answer(man/schedbench-${command}.1 man ${command})
endforeach()
file(TOUCH ${OUTPUT}/done)
