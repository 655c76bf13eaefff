// Rules for constructs that could hide accesses from the emulator or reach beyond the kernel: some
// attributes and pragmas, g++'s built-in functions for memory, and files of this machine. They
// check the source's tokens before it is compiled. If tokens are not enough (pasted names, macros
// of system headers), the result is unsure. Then the preprocessed source is checked as well, at the
// cost of one more compiler run.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/device.h"

namespace histolab::kernels::worker {

// The result of the check. `missing` are headers outside of the submission: compile errors, whether
// or not such a file exists. If `unsure` is set, check the preprocessed source, too.
struct Verdict {
  std::vector<Diagnostic> refusals;
  // Headers outside of the submission: compile errors, whether or not there is such a file.
  std::vector<Diagnostic> missing;
  bool unsure = false;
};

// `include_dir` is the shim's folder. A reserved name that occurs there is one of CUDA's.
[[nodiscard]] Verdict forbidden_in(const std::string& text, const std::string& include_dir);

// Returns the message for a header that does not exist.
[[nodiscard]] std::string about_missing_header(std::string_view name);

// Checks the output of g++ -E for the submission `text`. A line belongs to the submission unless it
// is from the shim or a system header, no matter what file name it claims. Also refuses a macro of
// the submission that changes the lines of a header included after it. Returns the refusals.
[[nodiscard]] std::vector<Diagnostic> forbidden_in_preprocessed(const std::string& output,
                                                                const std::string& text,
                                                                const std::string& include_dir);

}  // namespace histolab::kernels::worker
