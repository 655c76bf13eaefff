# What is handed to others: a source archive and a package for Debian and Ubuntu.
#
#   cmake --preset package
#   cmake --build build/package --target package           histolab_VERSION_ARCH.deb: what `cmake --install` lays out, below /usr
#   cmake --build build/package --target source_archive    histolab-VERSION.tar.gz: what is needed to build and test it
#
# With SOURCE_DATE_EPOCH set the archive is the same to the byte each time; whether the package is, too, made of the same sources in the same
# folder by the same compiler, tests/package_test.py asks.
set(CPACK_PACKAGE_NAME histolab)
if(NOT HISTOLAB_TESTS) # a student edition, as `histolab package` makes it
  set(CPACK_PACKAGE_NAME histolab-students)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS histolab)
endif()
set(CPACK_PACKAGE_VENDOR "the histolab maintainers")
set(CPACK_PACKAGE_CONTACT "the histolab maintainers <maintainers@histolab.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES OFF) # `histolab debug` finds the worker's events by its symbols, and debug information the preset makes none of
set(CPACK_CUSTOM_INSTALL_VARIABLES HISTOLAB_IS_PACKAGED=ON) # to cmake/install_folders.cmake
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# Libraries are what dpkg-shlibdeps finds; kernels are compiled by g++ wherever histolab runs, and the sandbox is bubblewrap's.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DEPENDS "g++, bubblewrap")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS gdb)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION
"Labs in CUDA on one subject: many threads update one histogram, from a
race that loses updates to a kernel at the memory limit of the machine.
An emulator runs the unmodified kernels without a GPU, finds every race
and counts what a profiler would count; a grader makes a report of it.")

set(CPACK_SOURCE_GENERATOR "")
include(CPack)

add_custom_target(source_archive VERBATIM COMMAND
  ${CMAKE_COMMAND} "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DNAME=histolab-${PROJECT_VERSION}" "-DINTO=${PROJECT_BINARY_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/source_archive.cmake")
