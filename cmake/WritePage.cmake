# cmake -DASSETS=folder -DD3=file -DOUT=file -P WritePage.cmake: the parts of the report's page as strings of C++.
# The page's script: charts, what sections know of runs, a file for each section or a few that belong together, and
# last the page, which calls them.
set(SCRIPTS
    charts.js
    lines.js
    bands.js
    paper_charts.js
    paper_drawings.js
    runs.js
    states.js
    sections/overview.js
    sections/comparison.js
    sections/sweep.js
    sections/pairs.js
    sections/issue_slots.js
    sections/warp_states.js
    sections/source.js
    sections/occupancy.js
    sections/memory.js
    sections/roofline.js
    sections/over_time.js
    sections/policy_state.js
    sections/timeline.js
    sections/energy.js
    sections/thread_blocks.js
    sections/predictions.js
    sections/cost.js
    sections/configuration.js
    sections/reproduction.js
    page.js)
list(TRANSFORM SCRIPTS PREPEND ${ASSETS}/)
file(GLOB_RECURSE unlisted ${ASSETS}/*.js)
list(REMOVE_ITEM unlisted ${SCRIPTS})
if(unlisted)
  message(FATAL_ERROR "${unlisted}: not in the list of the page's scripts (cmake/WritePage.cmake)")
endif()

set(text "#include \"top/page/page_parts.h\"\n\nnamespace heddle {\n")
function(add_part name)
  set(part "")
  foreach(file ${ARGN})
    file(READ ${file} content)
    string(APPEND part "${content}")
  endforeach()
  if(part MATCHES "\\)PART\"")
    message(FATAL_ERROR "${ARGN}: has the end of a raw string")
  endif()
  set(text "${text}\nconst char* const ${name} = R\"PART(${part})PART\";\n" PARENT_SCOPE)
endfunction()
add_part(kPageHtml ${ASSETS}/page.html)
add_part(kPageStyle ${ASSETS}/page.css)
add_part(kPageScript ${SCRIPTS})
add_part(kPageD3 ${D3})
file(WRITE ${OUT} "${text}\n}  // namespace heddle\n")
