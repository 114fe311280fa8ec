# -DFOLDER=folder -DOUT=file: writes a file that includes all .cpp files of the folder.
file(GLOB sources ${FOLDER}/*.cpp)
list(SORT sources)
set(text "")
foreach(source ${sources})
  string(APPEND text "#include \"${source}\"\n")
endforeach()
file(WRITE ${OUT} "${text}")
