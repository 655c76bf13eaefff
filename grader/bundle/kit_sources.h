// The kit's own source tree, as far as it takes to build the program and to grade: what a bundle carries.
//
// A built program would fit one release of one distribution; sources are smaller, can be read, and build wherever the
// distribution has the packages. Left out: scripts that test and their data, viewer, tools, documentation, and whatever is not the kit's
// (work/, build/). Unit tests go along: they lie beside what they test, and CMake names them where there is a doctest.
#pragma once

#include <string>
#include <vector>

#include "grader/bundle/zip.h"
#include "reference/result.h"

namespace histolab::bundle {

// The source tree that this program was built from.
[[nodiscard]] std::string source_tree();

// Below `prefix` in the archive. Error: the tree is not there, or a file of it cannot be read.
[[nodiscard]] Result<std::vector<File>> kit_sources(const std::string& tree, const std::string& prefix);

}  // namespace histolab::bundle
