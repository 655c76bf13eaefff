// Attempts: kernels that come with a lab, right and wrong ones, each in a folder attempts/NAME/.
//
// The folder stores the kernel in one of two forms: whole, as kernel.cu, or as solution.patch, a
// patch (patch.h) of the solution without its comments. The kernel's path is
// attempts/NAME/kernel.cu in both forms. Commands take that path, and messages and reports name it.
#pragma once

#include <string>

#include "reference/result.h"

namespace histolab::grader {

// Returns attempts/NAME/kernel.cu for attempts/NAME/solution.patch, and any other path unchanged.
[[nodiscard]] std::string kernel_path(const std::string& path);

// The file that stores the kernel with this path: the patch if there is one, else the path itself.
[[nodiscard]] std::string stored_path(const std::string& kernel_path);

// The solution of the lab in this folder without its comments: what the patches of its attempts
// change.
[[nodiscard]] Result<std::string> patched_code(const std::string& lab_directory);

// Returns the whole text of the kernel with this path, which may also be a patch's. Error: the file
// is no text (read_file.h), the patch does not apply, or both forms are there.
[[nodiscard]] Result<std::string> read_kernel(const std::string& path);

}  // namespace histolab::grader
