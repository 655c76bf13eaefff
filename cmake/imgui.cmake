# Dear ImGui (docking branch), ImPlot and Dear ImGui Test Engine as libraries, only for the viewer.
# Without them, all other targets are built as usual.
#
#   HISTOLAB_IMGUI_DIR   their folder: an unpacked imgui-bundle, or a folder with imgui, implot and
#                        imgui_test_engine. If empty, build/<preset>/imgui, which
#                        `./histolab setup viewer` fetches
#
# Sets HISTOLAB_VIEWER (TRUE or FALSE) and HISTOLAB_NO_VIEWER (the reason if FALSE). If TRUE, it
# also sets HISTOLAB_IMGUI_FONTS (a folder) and adds three targets, all EXCLUDE_FROM_ALL:
#
#   histolab_imgui_headers      headers, with GLFW, EGL and OpenGL: for every library that draws
#   histolab_imgui              ImGui with its backends for GLFW and OpenGL 3, and ImPlot: for the
#                               shipped program
#   histolab_imgui_test_engine  the same with the Test Engine and its hooks: for test programs
#
# A program links one of the last two, after the libraries that draw. Those libraries work with
# either, because the hooks do not change any type. ImPlot only plots arrays of double, because each
# further type costs 12 s of compile time. The wrapper reads the result from imgui.txt in the build
# folder: FOLDER, or none and the reason.
set(HISTOLAB_VIEWER FALSE)
set(HISTOLAB_NO_VIEWER "")
set(HISTOLAB_IMGUI_DIR "$ENV{HISTOLAB_IMGUI_DIR}" CACHE PATH
  "Folder of Dear ImGui, ImPlot and the Test Engine")
set(imgui_root "${HISTOLAB_IMGUI_DIR}")
if(NOT imgui_root)
  set(imgui_root "${CMAKE_BINARY_DIR}/imgui")
endif()

# FOLDER...: finds the first of these folders below imgui_root that has the file.
function(histolab_find_source variable file)
  foreach(folder IN LISTS ARGN)
    if(EXISTS "${imgui_root}/${folder}/${file}")
      set(${variable} "${imgui_root}/${folder}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${variable} "" PARENT_SCOPE)
  set(HISTOLAB_NO_VIEWER "there is no ${file} in ${imgui_root}" PARENT_SCOPE)
endfunction()
if(EXISTS "${imgui_root}")
  histolab_find_source(imgui imgui.h imgui external/imgui/imgui)
  histolab_find_source(implot implot.h implot external/implot/implot)
  histolab_find_source(test_engine imgui_te_engine.h imgui_test_engine
    imgui_test_engine/imgui_test_engine
    external/imgui_test_engine/imgui_test_engine/imgui_test_engine)
else()
  set(HISTOLAB_NO_VIEWER "Dear ImGui is missing; fetch it with ./histolab setup viewer")
endif()

if(NOT HISTOLAB_NO_VIEWER)
  pkg_check_modules(histolab_gl QUIET IMPORTED_TARGET glfw3>=3.3 egl gl)
  if(NOT histolab_gl_FOUND)
    set(HISTOLAB_NO_VIEWER
      "pkg-config does not find all of glfw3 (3.3 or later), egl and gl (Debian and Ubuntu: apt-get install libglfw3-dev libegl-dev libgl-dev)")
  endif()
endif()

if(HISTOLAB_NO_VIEWER)
  message(STATUS "no viewer in this build: ${HISTOLAB_NO_VIEWER}")
  file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/imgui.txt" CONTENT "none ${HISTOLAB_NO_VIEWER}\n")
  return()
endif()
set(HISTOLAB_VIEWER TRUE)
set(HISTOLAB_IMGUI_FONTS "${imgui}/misc/fonts")
message(STATUS "Dear ImGui: ${imgui}")
file(CONFIGURE OUTPUT "${CMAKE_BINARY_DIR}/imgui.txt" CONTENT "${imgui_root}\n")

add_library(histolab_imgui_headers INTERFACE)
target_include_directories(histolab_imgui_headers SYSTEM INTERFACE "${imgui}" "${imgui}/backends"
  "${imgui}/misc/cpp" "${implot}")
target_compile_definitions(histolab_imgui_headers INTERFACE IMGUI_DISABLE_DEMO_WINDOWS)
target_link_libraries(histolab_imgui_headers INTERFACE PkgConfig::histolab_gl ${CMAKE_DL_LIBS})

# OPTIMIZE: the shipped library is compiled for speed, the tested one for a short build. (A frame of
# a full window then takes 1.2 ms instead of 0.7 ms, and the build 13 s less.)
function(histolab_imgui_library name type optimize)
  add_library(${name} ${type} EXCLUDE_FROM_ALL ${ARGN})
  target_link_libraries(${name} PUBLIC histolab_imgui_headers)
  target_compile_options(${name} PRIVATE -w ${optimize})
  set_target_properties(${name} PROPERTIES UNITY_BUILD OFF)  # its files define the same macros
endfunction()
set(shipped $<IF:$<CONFIG:Release>,-O2,-O1>)

# The three files with hooks; the rest of ImGui is the same with and without them.
set(hooked "${imgui}/imgui.cpp" "${imgui}/imgui_tables.cpp" "${imgui}/imgui_widgets.cpp")
set(rest "${imgui}/imgui_draw.cpp" "${imgui}/misc/cpp/imgui_stdlib.cpp"
  "${imgui}/backends/imgui_impl_glfw.cpp"
  "${imgui}/backends/imgui_impl_opengl3.cpp" "${implot}/implot.cpp" "${implot}/implot_items.cpp")
if(EXISTS "${imgui}/imgui_stacklayout.cpp") # imgui-bundle's ImGui has it and needs it
  list(APPEND rest "${imgui}/imgui_stacklayout.cpp")
endif()
histolab_imgui_library(histolab_imgui_rest OBJECT ${shipped} ${rest})
target_compile_definitions(histolab_imgui_rest PRIVATE "IMPLOT_CUSTOM_NUMERIC_TYPES=(double)")
histolab_imgui_library(histolab_imgui STATIC ${shipped} ${hooked}
  $<TARGET_OBJECTS:histolab_imgui_rest>)

set(hooks "IMGUI_USER_CONFIG=\"imgui_te_imconfig.h\""
  IMGUI_TEST_ENGINE_ENABLE_COROUTINE_STDTHREAD_IMPL=1
  IMGUI_TEST_ENGINE_ENABLE_STD_FUNCTION=1 IMGUI_TEST_ENGINE_ENABLE_CAPTURE=0)
histolab_imgui_library(histolab_imgui_hooked OBJECT -O0 ${hooked})
target_compile_definitions(histolab_imgui_hooked PRIVATE ${hooks})
target_include_directories(histolab_imgui_hooked SYSTEM PRIVATE "${test_engine}")

set(engine)
foreach(part IN ITEMS capture_tool te_context te_coroutine te_engine te_exporters te_perftool te_ui
  te_utils)
  list(APPEND engine "${test_engine}/imgui_${part}.cpp")
endforeach()
histolab_imgui_library(histolab_imgui_test_engine STATIC -O0 ${engine}
  $<TARGET_OBJECTS:histolab_imgui_hooked> $<TARGET_OBJECTS:histolab_imgui_rest>)
target_compile_definitions(histolab_imgui_test_engine PUBLIC ${hooks})
target_include_directories(histolab_imgui_test_engine SYSTEM PUBLIC "${test_engine}")
target_link_libraries(histolab_imgui_test_engine PUBLIC Threads::Threads)
# One compilation instead of eight, which would each read the same headers.
set_target_properties(histolab_imgui_test_engine PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE 0)
