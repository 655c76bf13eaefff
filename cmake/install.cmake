# PREFIX/bin/histolab, the workers (and the viewer, if built) in PREFIX/libexec/histolab, and the
# data under PREFIX/share/histolab. The program finds both relative to itself, so an installed tree
# can be moved.

if(TARGET histolab)
  install(TARGETS histolab RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
endif()
foreach(worker IN ITEMS histolab-worker histolab-confine histolab-front histolab-gpu-worker)
  if(TARGET ${worker})
    install(TARGETS ${worker} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/histolab)
  endif()
endforeach()
if(TARGET histolab_cudart) # programs of `histolab exec` are linked with it
  install(TARGETS histolab_cudart ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/histolab)
endif()
if(TARGET histolab_cudart) # for `histolab nvcc --toolkit`
  set(toolkit ${CMAKE_INSTALL_LIBEXECDIR}/histolab/toolkit)
  install(DIRECTORY "${CMAKE_BINARY_DIR}/toolkit/include/" DESTINATION ${toolkit}/include)
  install(DIRECTORY "${CMAKE_BINARY_DIR}/toolkit/lib64/" DESTINATION ${toolkit}/lib64
    FILES_MATCHING PATTERN "libcu*")
  install(CODE "set(toolkit \"${toolkit}\")")
  install(CODE [[
    cmake_path(ABSOLUTE_PATH toolkit BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}")
    set(toolkit "$ENV{DESTDIR}${toolkit}")
    foreach(folder IN ITEMS bin lib64 nvvm nvvm/libdevice)
      file(MAKE_DIRECTORY "${toolkit}/${folder}")
      file(CHMOD "${toolkit}/${folder}" DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
        GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
    endforeach()
    file(CREATE_LINK ../../../share/histolab/include "${toolkit}/shim" SYMBOLIC)
    file(CREATE_LINK ../../../../bin/histolab "${toolkit}/bin/nvcc" SYMBOLIC)
    file(CREATE_LINK ../../libhistolab_cudart.a "${toolkit}/lib64/libhistolab_cudart.a" SYMBOLIC)
  ]])
endif()
foreach(worker IN ITEMS histolab-bench histolab-calibrate) # where they were built
  if(TARGET ${worker})
    install(TARGETS ${worker} RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/histolab OPTIONAL)
  endif()
endforeach()
# Installed programs use the toolkit that they were built with. INSTALL_RPATH_USE_LINK_PATH excludes
# folders in the build folder, such as the toolkit that `./histolab setup cuda` fetches.
foreach(program IN ITEMS histolab-gpu-worker histolab-bench)
  if(TARGET ${program})
    set_target_properties(${program} PROPERTIES INSTALL_RPATH "${HISTOLAB_NVRTC_FOLDER}")
  endif()
endforeach()
if(TARGET histolab-viewer)
  install(TARGETS histolab-viewer RUNTIME DESTINATION ${CMAKE_INSTALL_LIBEXECDIR}/histolab OPTIONAL)
  install(FILES "${HISTOLAB_IMGUI_FONTS}/Roboto-Medium.ttf"
    "${HISTOLAB_IMGUI_FONTS}/Cousine-Regular.ttf"
    DESTINATION ${CMAKE_INSTALL_DATADIR}/histolab/fonts OPTIONAL)
  install(FILES viewer/tour.json DESTINATION ${CMAKE_INSTALL_DATADIR}/histolab/viewer)
endif()

set(histolab_data ${CMAKE_INSTALL_DATADIR}/histolab)
install(DIRECTORY labs/ DESTINATION ${histolab_data}/labs OPTIONAL)
install(DIRECTORY grader/gdb/ DESTINATION ${histolab_data}/gdb FILES_MATCHING PATTERN "*.py")
install(DIRECTORY grader/template/ DESTINATION ${histolab_data}/template OPTIONAL)
install(DIRECTORY kernels/emulator/include/ DESTINATION ${histolab_data}/include OPTIONAL)
install(DIRECTORY docs/ DESTINATION ${histolab_data}/docs OPTIONAL)
install(DIRECTORY profiles/ DESTINATION ${histolab_data}/profiles OPTIONAL)
install(FILES README.md CHANGELOG.md LICENSE DESTINATION ${histolab_data} OPTIONAL)
