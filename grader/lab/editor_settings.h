// Editor settings: the file .clangd in `work/`, with the flags by which clangd reads a kernel.
//
// They match labs/compile_flags.txt, and that of a program's lab (tests/clangd_test.py compares
// them), but with absolute paths. The warnings are those of the worker's compiler, so the editor
// shows what `grade` shows.
#pragma once

#include <string>
#include <vector>

#include "reference/result.h"

namespace histolab::grader {

inline constexpr const char* editor_settings_name = ".clangd";

// Returns the text of the file. `include_dir` is the absolute path of the CUDA shim's folder.
// `programs`: the labs whose submissions are whole programs; they have flags of their own.
[[nodiscard]] std::string editor_settings(const std::string& include_dir,
                                          const std::vector<std::string>& programs);

// Writes the settings into an existing folder and returns whether it wrote them. It leaves current
// settings alone, and a student's own: a compilation database, or a .clangd without histolab's
// first line.
[[nodiscard]] Result<bool> write_editor_settings(const std::string& folder,
                                                 const std::string& include_dir,
                                                 const std::vector<std::string>& programs);

}  // namespace histolab::grader
