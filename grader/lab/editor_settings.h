// What a student's editor is told of the folder `work/`: the file .clangd, with the flags by which
// clangd reads a kernel.
//
// They are those of labs/compile_flags.txt (tests/clangd_test.py compares them), but that file has
// relative paths and work/ may lie anywhere. The warnings are those that the worker's compiler
// gives, so that the editor complains of nothing that `grade` does not. A file of the student's own
// is never touched.
#pragma once

#include <string>

#include "reference/result.h"

namespace histolab::grader {

inline constexpr const char* editor_settings_name = ".clangd";

// The text of the file. `include_dir` is the folder of the CUDA shim, as an absolute path.
[[nodiscard]] std::string editor_settings(const std::string& include_dir);

// Writes it into `folder`, which is there, and says whether it did: not where it is so already, and
// not where the student has settings there: a .clangd that does not begin as histolab's does, or a
// compilation database.
[[nodiscard]] Result<bool> write_editor_settings(const std::string& folder,
                                                 const std::string& include_dir);

}  // namespace histolab::grader
