# cmake -DROOT=folder -DOUT=file -P WriteCommit.cmake: writes the C++ file that names the commit of the checkout ROOT.
# The file is touched only when its content changes, so that a build recompiles it only after a commit.
set(commit "unknown")
find_program(GIT git)
if(GIT)
  # Not the commit of a repository that ROOT was copied into.
  execute_process(COMMAND ${GIT} -C ${ROOT} rev-parse --show-toplevel OUTPUT_VARIABLE top
                  OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
  get_filename_component(root ${ROOT} REALPATH)
  if(NOT failed AND top STREQUAL root)
    execute_process(COMMAND ${GIT} -C ${ROOT} describe --always --dirty --abbrev=12 --exclude=* OUTPUT_VARIABLE found
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
    if(NOT failed AND found)
      set(commit ${found})
    endif()
  endif()
endif()
set(text "namespace heddle {\nconst char* commit();\nconst char* commit() { return \"${commit}\"; }\n}  // namespace heddle\n")
set(old "")
if(EXISTS ${OUT})
  file(READ ${OUT} old)
endif()
if(NOT text STREQUAL old)
  file(WRITE ${OUT} "${text}")
endif()
