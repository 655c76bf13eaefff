# cmake -DSOURCE=FOLDER -DNAME=histolab-VERSION -DINTO=FOLDER -P source_archive.cmake: INTO/NAME.tar.gz of the sources.
#
# What git has, or, where there is no git, what lies in the places that are the project's: whatever else is in the tree stays out.
# By tar and not by CPack, whose order of files is the file system's. SOURCE_DATE_EPOCH is the time of all files, as string(TIMESTAMP) has it.
set(files "${INTO}/${NAME}.files")
set(listed 1)
if(EXISTS "${SOURCE}/.git")
  execute_process(COMMAND git -C "${SOURCE}" ls-files RESULT_VARIABLE listed OUTPUT_FILE "${files}" ERROR_QUIET)
endif()
if(NOT listed EQUAL 0)
  set(found "")
  foreach(place .ci .git-blame-ignore-revs .clang-format .clang-tidy .devcontainer .gitignore .vscode CHANGELOG.md CMakeLists.txt CMakePresets.json CONTRIBUTING.md LICENSE
    README.md cmake datasets docs grader histolab kernels labs profiles reference tests tools viewer)
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
  tar --create --gzip "--file=${INTO}/${NAME}.tar.gz" --owner=0 --group=0 --numeric-owner --mode=u=rwX,go=rX "--mtime=@${moment}"
    "--transform=s,^,${NAME}/," -C "${SOURCE}" "--files-from=${files}")
file(REMOVE "${files}")
message("${INTO}/${NAME}.tar.gz")
