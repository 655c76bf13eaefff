// Reads the part of the kit's source tree that a bundle needs to build the program and to grade.
//
// A bundle has sources, because a built program fits only one release of one distribution. Left
// out: tests and their data, viewer, tools, documentation, and files that are not the kit's (work/,
// build/). Without the folder tests/, CMake builds no unit tests. Labs may be in any folder,
// because authors keep their own elsewhere.
#pragma once

#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "reference/result.h"

namespace histolab::bundle {

// The source tree that this program was built from.
[[nodiscard]] std::string source_tree();

// Returns the sources without labs, below `prefix` in the archive. Returns an Error if the tree is
// missing or a file cannot be read.
[[nodiscard]] Result<std::vector<File>> kit_sources(const std::string& tree,
                                                    const std::string& prefix);

// The same for the wanted files and folders, without tests and the excluded paths. Paths are
// relative to the tree.
[[nodiscard]] Result<std::vector<File>> kit_sources(const std::string& tree,
                                                    const std::string& prefix,
                                                    const std::vector<std::string>& wanted,
                                                    const std::vector<std::string>& excluded);

// Returns all files of the named labs in `folder`, below `prefix` in the archive, and the labs'
// shared compile_flags.txt. Follows symbolic links to a lab's folder and to files in it, because
// authors may link labs. Leaves out hidden files and backups. Returns an Error if a file cannot be
// read.
[[nodiscard]] Result<std::vector<File>> lab_files(const std::string& folder,
                                                  const std::vector<std::string>& names,
                                                  const std::string& prefix);

}  // namespace histolab::bundle
