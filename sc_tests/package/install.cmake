# Installs BUILD below FIRST and moves the tree to MOVED.
file(REMOVE_RECURSE ${FIRST} ${MOVED})
set(config "")
if(CONFIG)
  set(config --config ${CONFIG})
endif()
execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD} ${config} --prefix ${FIRST} OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
file(RENAME ${FIRST} ${MOVED})
