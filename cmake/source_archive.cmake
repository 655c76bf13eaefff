# cmake -DSOURCE=FOLDER -DNAME=histolab-VERSION -DINTO=FOLDER -P source_archive.cmake:
# INTO/NAME.tar.gz of the sources.
#
# Contains the files in git, or without git the files in the project's own folders. Other files in
# the tree are excluded. It uses tar, because CPack takes the file system's order. All files have
# the time SOURCE_DATE_EPOCH, as in string(TIMESTAMP).
set(files "${INTO}/${NAME}.files")
set(listed 1)
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" ls-files RESULT_VARIABLE listed OUTPUT_FILE "${files}"
    ERROR_QUIET)
endif()
if(NOT listed EQUAL 0)
  set(found "")
  foreach(place .ci .git-blame-ignore-revs .clang-format .clang-tidy .devcontainer .gitignore
    .vscode CHANGELOG.md CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE
    README.md cmake datasets docs grader histolab kernels labs profiles reference tests tools
    viewer)
    if(IS_DIRECTORY "${SOURCE}/${place}")
      file(GLOB_RECURSE below RELATIVE "${SOURCE}" "${SOURCE}/${place}/*")
      list(APPEND found ${below})
    elseif(EXISTS "${SOURCE}/${place}")
      list(APPEND found "${place}")
    endif()
  endforeach()
  list(FILTER found EXCLUDE REGEX "(^|/)__pycache__/|(^|/)compile_commands\\.json$|~$")
  list(SORT found)
  list(JOIN found "\n" found)
  file(WRITE "${files}" "${found}\n")
endif()
string(TIMESTAMP moment "%s" UTC)
execute_process(COMMAND_ERROR_IS_FATAL ANY COMMAND
  tar --create --gzip "--file=${INTO}/${NAME}.tar.gz" --owner=0 --group=0 --numeric-owner
  --mode=u=rwX,go=rX "--mtime=@${moment}"
    "--transform=s,^,${NAME}/," -C "${SOURCE}" "--files-from=${files}")
file(REMOVE "${files}")
message("${INTO}/${NAME}.tar.gz")
