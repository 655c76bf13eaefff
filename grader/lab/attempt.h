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

// Returns the file that stores the kernel with this path: its patch, or the path itself.
[[nodiscard]] std::string stored_path(const std::string& kernel_path);

// Returns the solution of the lab in this folder without its comments. The patches of its attempts
// apply to this text.
[[nodiscard]] Result<std::string> patched_code(const std::string& lab_directory);

// Returns the whole text of the kernel with this path, which may also be the path of a patch.
// Returns an Error if the file is not a text (read_file.h), if the patch does not apply, or if both
// forms exist.
[[nodiscard]] Result<std::string> read_kernel(const std::string& path);

}  // namespace histolab::grader
