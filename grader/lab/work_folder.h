// The student's folder `work/`: receives stubs and never loses a file.
#pragma once

#include <string>

#include "grader/lab/lab.h"
#include "reference/result.h"

namespace histolab::grader {

// Copies the lab's stub to `folder`/<LAB>.cu, and makes the folder if needed. Returns false if the
// file exists already; it is not changed.
[[nodiscard]] Result<bool> start_lab(const LabSpec& lab, const std::string& folder);

// Replaces `folder`/<LAB>.cu with the stub. The old file is backed up next to it as <LAB>.cu.~N~,
// with the first free N. Returns the backup's name, or an empty string if there was no old file.
[[nodiscard]] Result<std::string> reset_lab(const LabSpec& lab, const std::string& folder);

[[nodiscard]] std::string work_path(const LabSpec& lab, const std::string& folder);

}  // namespace histolab::grader
