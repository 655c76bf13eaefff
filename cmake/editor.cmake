# The source editor of the pages of `serve`. Nothing needs it: without one, the pages have a plain
# field with line numbers.
#
#   HISTOLAB_EDITOR_DIR   a folder with CodeMirror 6. If empty, build/<preset>/editor, which
#                         `./histolab setup editor` fetches
#
# Sets HISTOLAB_EDITOR: codemirror6 if that folder has all files; or codemirror5 if the distribution
# has it (package libjs-codemirror); or textarea. Sets HISTOLAB_EDITOR_FILES to its files, each as
# two list elements: the name in the site, and the path.
set(HISTOLAB_EDITOR_DIR "$ENV{HISTOLAB_EDITOR_DIR}" CACHE PATH "Folder of CodeMirror 6")
set(editor_root "${HISTOLAB_EDITOR_DIR}")
if(NOT editor_root)
  set(editor_root "${CMAKE_BINARY_DIR}/editor")
endif()
set(HISTOLAB_CODEMIRROR5_DIR /usr/share/javascript/codemirror CACHE PATH "Folder of CodeMirror 5")

# NAME FOLDER FILE...: chooses this editor if no other is chosen and the folder has the files.
function(histolab_try_editor name folder)
  if(HISTOLAB_EDITOR)
    return()
  endif()
  set(files)
  foreach(file IN LISTS ARGN)
    if(NOT EXISTS "${folder}/${file}")
      return()
    endif()
    cmake_path(GET file FILENAME base)
    list(APPEND files "${name}/${base}" "${folder}/${file}")
  endforeach()
  set(HISTOLAB_EDITOR "${name}" PARENT_SCOPE)
  set(HISTOLAB_EDITOR_FILES "${files}" PARENT_SCOPE)
endfunction()
set(HISTOLAB_EDITOR "")
set(HISTOLAB_EDITOR_FILES "")
# index.js imports the second file, which imports the others for C++.
histolab_try_editor(codemirror6 "${editor_root}"
  index.js index-ciMdZ5pn.js index-fNO8kRX1.js index-C83tnP_C.js)
histolab_try_editor(codemirror5 "${HISTOLAB_CODEMIRROR5_DIR}"
  lib/codemirror.js lib/codemirror.css mode/clike/clike.js)
if(NOT HISTOLAB_EDITOR)
  set(HISTOLAB_EDITOR textarea)
endif()
message(STATUS "editor of the pages of serve: ${HISTOLAB_EDITOR}")
