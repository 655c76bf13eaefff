// Reads sources of a program by the names that debug information and compilers give them.
#pragma once

#include <string>
#include <vector>

namespace histolab::kernels::program {

// Returns the beginning of a source, at most 4 MiB. A source can name any file in a #line: returns
// an empty text unless the file is in one of the folders, which the program may read, too.
[[nodiscard]] std::string read_source(const std::string& path,
                                      const std::vector<std::string>& readable);

}  // namespace histolab::kernels::program
