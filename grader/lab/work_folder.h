// The student's folder `work/`: stubs go in, and nothing that was in it is ever lost.
#pragma once

#include <string>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Copies the lab's stub to `folder`/<LAB>.cu, making the folder. False when a file is there: it
// stays as it is.
[[nodiscard]] Result<bool> start_lab(const LabSpec& lab, const std::string& folder);

// Puts the stub in place of `folder`/<LAB>.cu. The old file is kept beside it as <LAB>.cu.~N~, with
// the first N that is free; the result is that name, empty when there was no old file.
[[nodiscard]] Result<std::string> reset_lab(const LabSpec& lab, const std::string& folder);

[[nodiscard]] std::string work_path(const LabSpec& lab, const std::string& folder);

}  // namespace histolab::grader
