# Release artifacts: a source archive and a package for Debian and Ubuntu.
#
#   cmake --preset package
#   cmake --build build/package --target package           histolab_VERSION_ARCH.deb: the files of
#                                                          `cmake --install`, below /usr
#   cmake --build build/package --target source_archive    histolab-VERSION.tar.gz: all files
#                                                          to build and test it
#
# With SOURCE_DATE_EPOCH the archive is reproducible to the byte. tests/package_test.py checks the
# same for the package: same sources, same folder, same compiler.
set(CPACK_PACKAGE_NAME histolab)
if(NOT HISTOLAB_TESTS) # a student edition, made by `histolab package`
  set(CPACK_PACKAGE_NAME histolab-students)
  set(CPACK_DEBIAN_PACKAGE_CONFLICTS histolab)
endif()
set(CPACK_PACKAGE_VENDOR "the histolab maintainers")
set(CPACK_PACKAGE_CONTACT "the histolab maintainers <maintainers@histolab.invalid>")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_RESOURCE_FILE_LICENSE "${PROJECT_SOURCE_DIR}/LICENSE")
set(CPACK_PACKAGE_CHECKSUM SHA256)
set(CPACK_STRIP_FILES OFF) # `histolab debug` needs the symbols; the preset has no debug info
set(CPACK_CUSTOM_INSTALL_VARIABLES HISTOLAB_IS_PACKAGED=ON) # for cmake/install_folders.cmake
set(CPACK_VERBATIM_VARIABLES ON)

set(CPACK_GENERATOR DEB)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION education)
# dpkg-shlibdeps finds the libraries. histolab also needs g++ to compile kernels and bubblewrap for
# the sandbox.
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
  ${CMAKE_COMMAND} "-DSOURCE=${PROJECT_SOURCE_DIR}" "-DNAME=histolab-${PROJECT_VERSION}"
  "-DINTO=${PROJECT_BINARY_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/source_archive.cmake")
