// Names the files of source lines, in launches whose kernel comes from several files.
#pragma once

#include <span>
#include <string>

#include "kernels/finding.h"

namespace histolab::kernels::emulator {

// Sets `file` and `other_file`, makes both lines count in their files, and names the files in the
// message and in the variable's name. The lines must be numbers as in memory/source_line.h.
// `files`: the file with number 1 first.
void name_files(Finding& finding, std::span<const std::string> files);

// Returns the text with "FILE:LINE" in place of each marked line.
[[nodiscard]] std::string with_file_names(std::string text, std::span<const std::string> files);

// Returns the name of the file of this line. Returns "" if it has none.
[[nodiscard]] std::string file_name(int line_number, std::span<const std::string> files);

}  // namespace histolab::kernels::emulator
