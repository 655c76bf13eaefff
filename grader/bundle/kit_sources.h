// The part of the kit's source tree that a bundle carries: enough to build the program and to
// grade.
//
// A built program would fit one release of one distribution; sources are smaller, can be read, and
// build wherever the distribution has the packages. Left out: scripts that test and their data,
// viewer, tools, documentation, and whatever is not the kit's (work/, build/). Unit tests are left
// out too: without the folder tests/, CMake builds none. The labs come from any folder: an author
// keeps labs of their own elsewhere.
#pragma once

#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "reference/result.h"

namespace histolab::bundle {

// The source tree that this program was built from.
[[nodiscard]] std::string source_tree();

// The sources without labs, below `prefix` in the archive. Error: the tree is missing, or a file of
// it cannot be read.
[[nodiscard]] Result<std::vector<File>> kit_sources(const std::string& tree,
                                                    const std::string& prefix);

// The same of the named files and folders, without what is left out (paths in the tree) and without
// tests.
[[nodiscard]] Result<std::vector<File>> kit_sources(const std::string& tree,
                                                    const std::string& prefix,
                                                    const std::vector<std::string>& wanted,
                                                    const std::vector<std::string>& left_out);

// All files of the labs called `names` in `folder`, below `prefix` in the archive, with what clangd
// reads of all labs. Symbolic links are followed to a lab's folder and to files in it: the labs are
// the author's, and each has to arrive. Hidden files and backups are left out. Error: a file cannot
// be read.
[[nodiscard]] Result<std::vector<File>> lab_files(const std::string& folder,
                                                  const std::vector<std::string>& names,
                                                  const std::string& prefix);

}  // namespace histolab::bundle
