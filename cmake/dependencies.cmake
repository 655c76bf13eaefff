# Finds the packages of the distribution. Nothing is vendored, and configuring downloads nothing.
#
# Targets: fmt::fmt  nlohmann_json::nlohmann_json  CLI11::CLI11  PkgConfig::libdw  Zydis::Zydis
#        histolab::stb
#        PkgConfig::libseccomp  PkgConfig::libarchive  PkgConfig::sqlite3  PkgConfig::yaml
#        histolab::csv  PkgConfig::utf8proc  PkgConfig::libelf  PkgConfig::xxhash
#        PkgConfig::libmicrohttpd
#        PkgConfig::md4c
#        Threads::Threads, and doctest::doctest if installed.

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(libdw REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(libelf REQUIRED IMPORTED_TARGET libelf)
pkg_check_modules(libseccomp REQUIRED IMPORTED_TARGET libseccomp)
pkg_check_modules(libarchive REQUIRED IMPORTED_TARGET libarchive)
pkg_check_modules(libmicrohttpd REQUIRED IMPORTED_TARGET libmicrohttpd>=0.9.75)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)
pkg_check_modules(utf8proc REQUIRED IMPORTED_TARGET libutf8proc)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(yaml REQUIRED IMPORTED_TARGET yaml-0.1)
pkg_check_modules(md4c REQUIRED IMPORTED_TARGET md4c)
find_package(zydis REQUIRED)

# The folder of stb's headers varies: Debian has /usr/include/stb/stb_image.h, other distributions
# omit the folder stb. The sources include <stb_image.h>, which works with both.
find_path(HISTOLAB_STB_INCLUDE_DIR stb_image.h PATH_SUFFIXES stb REQUIRED)
add_library(histolab_stb INTERFACE)
add_library(histolab::stb ALIAS histolab_stb)
target_include_directories(histolab_stb SYSTEM INTERFACE "${HISTOLAB_STB_INCLUDE_DIR}")

# libcsv does not provide a pkg-config file.
find_path(HISTOLAB_CSV_INCLUDE_DIR csv.h REQUIRED)
find_library(HISTOLAB_CSV_LIBRARY csv REQUIRED)
add_library(histolab_csv INTERFACE)
add_library(histolab::csv ALIAS histolab_csv)
target_include_directories(histolab_csv SYSTEM INTERFACE "${HISTOLAB_CSV_INCLUDE_DIR}")
target_link_libraries(histolab_csv INTERFACE "${HISTOLAB_CSV_LIBRARY}")

# Only the tests need doctest, so it is optional.
find_package(doctest QUIET)
