# histolab_module(NAME SOURCES a.cpp... [TESTS a_test.cpp...] [LIBS target...]
#                 [TEST_LIBS target...] [EMBED a.css...])
#   The static library histolab_NAME (alias histolab::NAME), whose include root is the root of the
#   repository, and the doctest binary NAME_test, which ctest knows by that name under the label
#   `unit`. LIBS are public. A module without SOURCES is an interface library.
#   EMBED: text files that the code uses as strings. `#include "folder/a.css.h"` gives
#   histolab::embedded::a_css.
# histolab_script_test(NAME COMMAND command... [LABELS label...])
#   A test that is a script: it passes with status 0 and is skipped with status 77. It may use the
#   programs in $HISTOLAB_BIN; it runs in a folder of its own in the build folder. With the label
#   `slow`, only `ctest -C slow` runs it (./histolab test --all).
# histolab_gpu_test(NAME SOURCES a_gpu_test.cpp... LIBS target...)
#   A doctest binary whose tests need a GPU, under the label `gpu`: without a GPU, or built without
#   a CUDA toolkit, ctest reports it as skipped.
# histolab_warnings(TARGET)
#   The project's warning flags.
# histolab_compiled_quickly()
#   For targets of this folder and its subfolders that mostly do input and output: compiles with
#   less optimization. GCC then needs less than half the time of -O3, without a visible loss of
#   speed.
#   Targets that compute use -O3.

function(histolab_warnings target)
  set(warnings -Wall -Wextra -Wpedantic -Wconversion -Wnon-virtual-dtor -Woverloaded-virtual
    -Wimplicit-fallthrough
    # In a unity build, a name in one file does not shadow a name in another one.
    $<$<NOT:$<BOOL:$<TARGET_PROPERTY:UNITY_BUILD>>>:-Wshadow>
    # GCC 12 wrongly warns about overlapping copies in `"text" + std::string` (GCC bug 105651).
    $<$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>:-Wno-restrict>
    $<$<BOOL:${HISTOLAB_WARNINGS_AS_ERRORS}>:-Werror>)
  target_compile_options(${target} PRIVATE "$<$<COMPILE_LANGUAGE:CXX>:${warnings}>"
    $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall>)
endfunction()

# GCC's garbage collection starts at 128 MiB and runs after each doubling. For our largest file (g++
# 12.2, -O1) it takes 4 of 24 s. Without it the compiler needs 1.4 GB instead of 1.1 GB, so the
# number of parallel compilations is limited by the machine's memory.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:--param ggc-min-expand=300 --param ggc-min-heapsize=524288>")
endif()
cmake_host_system_information(RESULT memory QUERY TOTAL_PHYSICAL_MEMORY) # MiB
if(EXISTS /sys/fs/cgroup/memory.max) # a container may have less
  file(READ /sys/fs/cgroup/memory.max most)
  if(most MATCHES "^[0-9]+")
    math(EXPR most "${CMAKE_MATCH_0} >> 20")
    if(most LESS memory)
      set(memory ${most})
    endif()
  endif()
endif()
math(EXPR compilations "${memory} / 1500")
if(compilations LESS 1)
  set(compilations 1)
endif()
set_property(GLOBAL APPEND PROPERTY JOB_POOLS compilations=${compilations})
set(CMAKE_JOB_POOL_COMPILE compilations)

function(histolab_compiled_quickly)
  add_compile_options($<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CONFIG:Release,RelWithDebInfo>>:-Og>)
endfunction()

# This limit only ends tests that hang. A busy machine and a sanitized build each take ten times as
# long.
set(HISTOLAB_TEST_SECONDS 7200)

add_compile_definitions(HISTOLAB_VERSION="${PROJECT_VERSION}")
if(HISTOLAB_SANITIZE)
  add_compile_definitions(HISTOLAB_SANITIZED)
  if(HISTOLAB_SANITIZE MATCHES thread)
    add_compile_definitions(HISTOLAB_SANITIZED_THREADS)
  endif()
  add_compile_options(-fsanitize=${HISTOLAB_SANITIZE} -fno-omit-frame-pointer
    -fno-sanitize-recover=all)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # GCC 13 detects uses after return by default. It moves locals to separate stacks per OS thread,
    # but the emulator's fibers share one thread. The environment cannot disable it, because the
    # worker's environment is empty. The sanitizers' own code causes false warnings about
    # uninitialized variables (GCC's manual, -fsanitize).
    add_compile_options(--param=asan-use-after-return=0 -Wno-maybe-uninitialized)
  endif()
  add_link_options(-fsanitize=${HISTOLAB_SANITIZE})
endif()

if(HISTOLAB_COVERAGE)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:--coverage>
    $<$<COMPILE_LANGUAGE:CXX>:-fprofile-abs-path>)
  add_link_options(--coverage -Wl,--wrap=_exit,--wrap=syscall,--wrap=setrlimit)
  add_library(histolab_coverage OBJECT "${CMAKE_CURRENT_LIST_DIR}/coverage.cpp")
  link_libraries($<TARGET_OBJECTS:histolab_coverage>)
endif()

# Bundles and student editions come without tests.
if(EXISTS "${PROJECT_SOURCE_DIR}/tests")
  set(HISTOLAB_TESTS ON)
else()
  set(HISTOLAB_TESTS OFF)
  set(doctest_FOUND FALSE)
endif()

if(doctest_FOUND)
  add_library(histolab_doctest_main OBJECT EXCLUDE_FROM_ALL
    "${CMAKE_CURRENT_LIST_DIR}/doctest_main.cpp")
  target_link_libraries(histolab_doctest_main PUBLIC doctest::doctest)
elseif(HISTOLAB_TESTS)
  message(STATUS
    "doctest is not installed: no unit tests in this build (Debian and Ubuntu: apt-get install doctest-dev)")
endif()

function(histolab_embed library)
  foreach(name IN LISTS ARGN)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${name}")
    file(READ "${name}" text)
    cmake_path(ABSOLUTE_PATH name OUTPUT_VARIABLE file)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET file FILENAME name)
    string(MAKE_C_IDENTIFIER "${name}" name)
    file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/embedded/${file}.h" @ONLY CONTENT [[
// Made by cmake/module.cmake from @file@.
#pragma once
#include <string_view>
namespace histolab::embedded {
inline constexpr std::string_view @name@ = R"embedded(@text@)embedded";
}
]])
  endforeach()
  if(ARGN)
    target_include_directories(${library} PUBLIC "${PROJECT_BINARY_DIR}/embedded")
  endif()
endfunction()

function(histolab_module name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;TESTS;LIBS;TEST_LIBS;EMBED")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "histolab_module(${name}): unknown argument \"${arg_UNPARSED_ARGUMENTS}\"")
  endif()

  set(library histolab_${name})
  if(arg_SOURCES)
    add_library(${library} STATIC ${arg_SOURCES})
    target_include_directories(${library} PUBLIC "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${library} PUBLIC ${arg_LIBS})
    histolab_warnings(${library})
    histolab_embed(${library} ${arg_EMBED})
  else()
    add_library(${library} INTERFACE)
    target_include_directories(${library} INTERFACE "${PROJECT_SOURCE_DIR}")
    target_link_libraries(${library} INTERFACE ${arg_LIBS})
  endif()
  add_library(histolab::${name} ALIAS ${library})

  if(arg_TESTS AND doctest_FOUND)
    set(test ${name}_test)
    add_executable(${test} EXCLUDE_FROM_ALL ${arg_TESTS})
    target_link_libraries(${test} PRIVATE ${library} ${arg_TEST_LIBS} histolab_doctest_main)
    target_compile_definitions(${test} PRIVATE HISTOLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
    # -O1 saves a third of the compile time of -O2, and tests are compiled more often than they run.
    # No unity build: a call with a braced list might match a helper of another file.
    target_compile_options(${test} PRIVATE $<$<CONFIG:Release,RelWithDebInfo>:-Og>)
    set_target_properties(${test} PROPERTIES UNITY_BUILD OFF
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test-bin")
    histolab_warnings(${test})
    add_dependencies(histolab_tests ${test})
    add_test(NAME ${test} COMMAND ${test} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(${test} PROPERTIES LABELS unit TIMEOUT ${HISTOLAB_TEST_SECONDS})
  endif()
endfunction()

function(histolab_script_test name)
  if(NOT HISTOLAB_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "COMMAND;LABELS")
  if(NOT arg_LABELS)
    set(arg_LABELS unit)
  endif()
  set(folder "${PROJECT_BINARY_DIR}/test-work/${name}")
  file(MAKE_DIRECTORY "${folder}")
  set(only) # ctest runs slow tests only with -C slow
  if("slow" IN_LIST arg_LABELS)
    set(only CONFIGURATIONS slow)
  endif()
  add_test(NAME ${name} COMMAND ${arg_COMMAND} WORKING_DIRECTORY "${folder}" ${only})
  set_tests_properties(${name} PROPERTIES
    LABELS "${arg_LABELS}" TIMEOUT ${HISTOLAB_TEST_SECONDS} SKIP_RETURN_CODE 77
    ENVIRONMENT "HISTOLAB_SOURCE_DIR=${PROJECT_SOURCE_DIR};HISTOLAB_BIN=${CMAKE_RUNTIME_OUTPUT_DIRECTORY};HISTOLAB_SANITIZE=${HISTOLAB_SANITIZE}")
endfunction()

function(histolab_gpu_test name)
  if(NOT HISTOLAB_TESTS)
    return()
  endif()
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;LIBS")
  if(HISTOLAB_CUDA AND doctest_FOUND)
    if(NOT TARGET histolab_doctest_gpu_main)
      add_library(histolab_doctest_gpu_main OBJECT EXCLUDE_FROM_ALL
        "${PROJECT_SOURCE_DIR}/cmake/doctest_gpu_main.cpp")
      target_link_libraries(histolab_doctest_gpu_main PUBLIC doctest::doctest CUDA::cudart_static)
    endif()
    add_executable(${name} EXCLUDE_FROM_ALL ${arg_SOURCES})
    target_link_libraries(${name} PRIVATE ${arg_LIBS} histolab_doctest_gpu_main)
    target_compile_definitions(${name} PRIVATE
      HISTOLAB_SOURCE_DIR="${PROJECT_SOURCE_DIR}" HISTOLAB_BIN="${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF
      RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/test-bin")
    histolab_warnings(${name})
    add_dependencies(${name} histolab_program)
    add_dependencies(histolab_tests ${name})
    add_test(NAME ${name} COMMAND ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  else()
    add_test(NAME ${name} COMMAND sh -c "echo skipped: this build has no CUDA toolkit; exit 77")
  endif()
  set_tests_properties(${name} PROPERTIES LABELS gpu TIMEOUT ${HISTOLAB_TEST_SECONDS}
    SKIP_RETURN_CODE 77)
endfunction()
